/// Which media go into an export: tracks of sources, one source after another.
///
/// A file, several files joined, and the pictures of one file with the sound of another are all compositions.
public struct Composition: Sendable, Hashable, Codable {
    /// Which of a source's tracks a composition's track takes.
    public enum Media: String, Sendable, Hashable, Codable, CaseIterable {
        case all, video, audio
    }

    /// One source, whole.
    public struct Segment: Sendable, Hashable, Codable {
        /// A path, or an http or https address.
        public var source: String

        public init(source: String) { self.source = source }
    }

    /// Segments of one kind, in order.
    public struct Track: Sendable, Hashable, Codable {
        public var media: Media
        public var segments: [Segment]

        public init(_ media: Media, _ sources: [String]) {
            (self.media, segments) = (media, sources.map(Segment.init))
        }
    }

    public var tracks: [Track]

    /// Joins sources in order.
    public init(joining sources: [String]) { tracks = [Track(.all, sources)] }

    /// Takes the pictures of one source and the sound of another.
    public init(video: String, audio: String) {
        tracks = [Track(.video, [video]), Track(.audio, [audio])]
    }

    /// Every segment's source, track by track.
    public var sources: [String] { tracks.flatMap { $0.segments.map(\.source) } }

    /// Gives the sources other names.
    ///
    /// - Parameter rename: Gets each source, track by track.
    /// - Returns: The same composition of the renamed sources.
    public func renamingSources(_ rename: (String) -> String) -> Composition {
        var renamed = self
        for track in tracks.indices {
            for segment in tracks[track].segments.indices {
                renamed.tracks[track].segments[segment].source = rename(
                    tracks[track].segments[segment].source)
            }
        }
        return renamed
    }

    /// Returns why no export can make anything of the composition, or nil if one can.
    ///
    /// An export takes one track of whole sources, or a track of pictures and a track of sound with one source each.
    public var fault: String? {
        guard !sources.isEmpty else { return "it has no sources" }
        switch tracks.map(\.media) {
        case [.all]: return nil
        case [.video, .audio]:
            return tracks.allSatisfy { $0.segments.count == 1 }
                ? nil : "pictures and sound of different sources need exactly one source each"
        default:
            return "it has other tracks than one of everything, or one of pictures and one of sound"
        }
    }
}
