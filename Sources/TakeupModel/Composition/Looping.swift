public import TakeupTimeline

/// Repeats a track of sound until the other tracks end, and fades it out there.
///
/// A track that lasts longer than the others is cut where they end.
public struct Looping: Sendable, Hashable, Codable {
    /// Longest time to fade out.
    package static let longestFade = MediaTime(seconds: Int64(60))
    /// Highest number of segments that repeating makes.
    package static let mostSegments = 10_000

    /// How long the sound takes to become silent at the end; 0 ends it at once.
    public var fadeOut: MediaTime

    public init(fadeOut: MediaTime = 2) { self.fadeOut = fadeOut }

    /// Returns what is wrong with it in a track of a composition, or nil.
    ///
    /// - Parameters:
    ///   - track: The track that has it.
    ///   - tracks: All tracks of the composition.
    /// - Returns: The fault, to follow the track's number.
    package func fault(of track: Composition.Track, in tracks: [Composition.Track]) -> String? {
        guard track.media == .audio else {
            return "is repeated, which only a track of audio can be"
        }
        guard fadeOut >= .zero, fadeOut <= Self.longestFade else {
            return "fades out within \(fadeOut), but that may be 0 to 60 s"
        }
        guard tracks.contains(where: { $0.loop == nil }) else {
            return "is repeated, but no other track tells how long"
        }
        guard track.segments.allSatisfy({ $0.transition == nil }) else {
            return "is repeated, which a track with transitions cannot be"
        }
        return nil
    }

    /// A text that tells it apart from every other one, for keys.
    var key: String { "\(fadeOut.value)/\(fadeOut.timescale)" }
}
