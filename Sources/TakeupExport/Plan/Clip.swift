internal import TakeupModel
internal import TakeupTimeline

/// One step of the export, in order: the sources of its pictures and its sound, or empty time.
struct Clip: Sendable, Equatable {
    /// The place of black pictures that no segment asks for.
    static let fill = -1

    /// Indexes in the session's list of assets; nil omits pictures or sound.
    var videoSource: Int?
    var audioSource: Int?
    /// The part that is taken, counted from the start of the clip; nil for all of it.
    var range: TimeRange?
    /// The longest that is taken of a source without a stated end; nil for all of it.
    var most: MediaTime?
    /// The composition's segment that it comes from; the parts of one file share it, and its range.
    var place = 0
    /// How many times faster than its own the source plays; nil for its own speed.
    var speed: Ratio?
    /// Whether the pitch follows the speed.
    var followsPitch = false
    /// The frames per second of the timecode that the range counts in; nil if it counts from the clip's start.
    var timecodeRate: Ratio?
    /// How long empty time lasts, which has no sources; nil for others.
    var empty: MediaTime?
    /// The composition's track.
    var track = 0
    /// How its pictures lie in the output, by the segment's time, and by the composition's; nil where nothing is said.
    var layout: Layout?
    var trackLayout: Layout?
    /// How its segment replaces the one before; nil for a cut.
    var transition: Transition?
    /// Whether its times count from the start of its source, not from that of the taken tracks, so that separate tracks
    /// of one source stay together.
    var keepsSourceClock = false

    /// Whether a timeline asks for more than a source as it is.
    var isMade: Bool { empty != nil || speed != nil }

    /// The clips of a composition without a fault, for assets in the order of its sources.
    static func clips(of composition: Composition) -> [Clip] {
        if composition.isWholePair { return [Clip(videoSource: 0, audioSource: 1)] }
        let isPlain = composition.tracks.map(\.media) == [.all]
        var assets = 0
        return composition.tracks.enumerated().flatMap { number, track in
            track.segments.enumerated().map { place, segment in
                var clip = Clip(
                    range: segment.range, place: place, speed: segment.speed,
                    timecodeRate: segment.timecodeRate, track: number,
                    keepsSourceClock: !isPlain)
                clip.followsPitch = segment.pitch == .follow
                (clip.layout, clip.trackLayout) = (segment.layout, track.layout)
                (clip.transition, clip.most) = (segment.transition, segment.most)
                guard !segment.isEmpty else {
                    clip.empty = segment.duration
                    return clip
                }
                if track.media != .audio { clip.videoSource = assets }
                if track.media != .video { clip.audioSource = assets }
                assets += 1
                return clip
            }
        }
    }

    /// How tracks of a composition are repeated, for those that are.
    static func loops(of composition: Composition) -> [Int: Looping] {
        let loops = composition.tracks.enumerated().compactMap { number, track in
            track.loop.map { (number, $0) }
        }
        return Dictionary(uniqueKeysWithValues: loops)
    }

    /// The duckings of a composition's tracks that have one.
    static func duckings(of composition: Composition) -> [Int: Ducking] {
        let duckings = composition.tracks.enumerated().compactMap { number, track in
            track.duck.map { (number, $0) }
        }
        return Dictionary(uniqueKeysWithValues: duckings)
    }

    /// The volumes of a composition's tracks that have one.
    static func volumes(of composition: Composition) -> [Int: Volume] {
        let volumes = composition.tracks.enumerated().compactMap { number, track in
            track.volume.map { (number, $0) }
        }
        return Dictionary(uniqueKeysWithValues: volumes)
    }
}

extension Clip {
    /// Returns the same clip of other assets; `places` says where each asset now is.
    func reading(_ places: [Int]) -> Clip {
        var clip = self
        clip.videoSource = videoSource.map { places[$0] }
        clip.audioSource = audioSource.map { places[$0] }
        return clip
    }

    /// Splits the clip into one clip for each part of its assets.
    ///
    /// - Parameters:
    ///   - places: The range of each asset's parts among all parts.
    ///   - names: The assets' names, for messages.
    /// - Returns: A clip for each part.
    /// - Throws: `ExportError` with `.unsupported` if an asset with several parts must be combined
    ///   with another asset.
    func parts(_ places: [Range<Int>], _ names: [String]) throws(ExportError) -> [Clip] {
        guard let video = videoSource, let audio = audioSource, video != audio else {
            guard let source = videoSource ?? audioSource else { return [self] }
            return places[source].map {
                var part = self
                if videoSource != nil { part.videoSource = $0 }
                if audioSource != nil { part.audioSource = $0 }
                return part
            }
        }
        for source in [video, audio] where places[source].count > 1 {
            throw .unsupported(
                names[source],
                reason: "it is \(places[source].count) parts one after another, and pictures and "
                    + "sound of two files are combined only where each is one part; export it "
                    + "alone first")
        }
        return [Clip(videoSource: places[video].lowerBound, audioSource: places[audio].lowerBound)]
    }
}
