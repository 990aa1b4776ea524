public import TakeupTimeline

/// Which media go into an export: tracks of segments of sources, laid out in time.
///
/// A file, several files joined, parts of files, and the pictures of one file with the sound of another are all
/// compositions. Times are exact; there is no grid of frames.
public struct Composition: Sendable, Hashable {
    /// Which of a source's tracks a composition's track takes.
    public enum Media: String, Sendable, Hashable, Codable, CaseIterable {
        case all, video, audio
    }

    /// Those with pictures lie above each other: the first one is the lowest.
    public var tracks: [Track]
    /// What is seen where no picture is; nil for black.
    public var background: PictureColor?

    /// Drawn above all pictures, the last one on top.
    public var titles: [Title]
    public var subtitles: [Subtitles]

    public init(
        tracks: [Track], background: PictureColor? = nil, titles: [Title] = [],
        subtitles: [Subtitles] = []
    ) {
        (self.tracks, self.background) = (tracks, background)
        (self.titles, self.subtitles) = (titles, subtitles)
    }

    /// Joins whole sources in order.
    public init(joining sources: [String]) { self.init(tracks: [Track(.all, sources)]) }

    /// Takes the pictures of one source and the sound of another.
    public init(video: String, audio: String) {
        self.init(tracks: [Track(.video, [video]), Track(.audio, [audio])])
    }
}

extension Composition {
    /// A part of a source, or empty time, at its place on a track.
    public struct Segment: Sendable, Hashable, Codable {
        /// A path, or an http or https address; nil for empty time.
        public var source: String?
        /// The part of the source, counted from its start; nil for the whole source.
        public var range: TimeRange?
        /// How long the segment lasts on its track; nil for as long as its part of the source.
        public var duration: MediaTime?
        /// How many times faster than its own a source plays whose part has no stated end; nil for its own speed.
        ///
        /// Where the end is stated, `duration` tells the speed.
        public var openSpeed: Ratio?
        /// The frames per second of the source's timecode, in which the part counts; nil if it counts from the
        /// source's start.
        public var timecodeRate: Ratio?
        /// The longest that is taken of a source whose part has no stated end; nil takes all of it.
        ///
        /// Where the source ends sooner, the segment is shorter, and its transitions become as short as it needs.
        public var most: MediaTime?
        /// What becomes of the pitch at another speed; nil keeps it.
        public var pitch: Pitch?

        /// What becomes of the pitch of sound that plays faster or slower.
        public enum Pitch: String, Sendable, Hashable, Codable, CaseIterable {
            /// It stays as it is.
            case keep
            /// It rises and falls with the speed, as that of a tape.
            case follow
        }
        /// How its pictures lie in the output, by times that count from the segment's start.
        ///
        /// What it does not say, its track's layout says.
        public var layout: Layout?
        /// How it replaces the segment before it; nil for a cut.
        public var transition: Transition?

        /// Takes a source, or a part of it.
        ///
        /// - Parameters:
        ///   - source: A path or an address.
        ///   - range: The part; nil for the whole source.
        ///   - speed: How many times faster than its own it plays; nil for its own speed.
        public init(source: String, range: TimeRange? = nil, speed: Ratio? = nil) {
            (self.source, self.range) = (source, range)
            guard let speed, speed.numerator != speed.denominator else { return }
            if let own = range?.duration, speed.numerator > 0 {
                duration = own.shown(at: speed)
            } else {
                openSpeed = speed
            }
        }

        /// Takes a part of a source at another speed, or empty time.
        init(
            source: String?, range: TimeRange?, duration: MediaTime?, timecodeRate: Ratio? = nil,
            layout: Layout? = nil
        ) {
            (self.source, self.range, self.duration) = (source, range, duration)
            (self.timecodeRate, self.layout) = (timecodeRate, layout)
        }

        /// Makes empty time: no picture, no sound.
        public static func empty(_ duration: MediaTime) -> Segment {
            Segment(source: nil, range: nil, duration: duration)
        }

        public var isEmpty: Bool { source == nil }

        /// How long it lasts on its track; nil where only the source tells.
        public var length: MediaTime? { duration ?? range?.duration }

        /// How many times faster than its own the source plays; nil for its own speed and for empty time.
        public var speed: Ratio? {
            guard !isEmpty else { return nil }
            guard let own = range?.duration, let duration, duration > .zero, own != duration else {
                return openSpeed
            }
            let second = MediaTime(value: 1, timescale: 1)
            let times = own.scaled(by: second, over: duration)
            return Ratio(times.value, times.timescale)
        }

        /// Whether the source plays faster or slower than it was recorded.
        public var changesSpeed: Bool { speed != nil }

        /// Whether it is a whole source at its own speed.
        var isWhole: Bool { self == Segment(source: source ?? "") }
    }

    /// Segments of one kind of media, one after another.
    public struct Track: Sendable, Hashable, Codable {
        public var media: Media
        public var segments: [Segment]
        /// How loud its sound is; nil leaves it as it is.
        public var volume: Volume?
        /// Lowers it while another track is heard; nil for none.
        public var duck: Ducking?
        /// Repeats it until the other tracks end; nil leaves it as long as its segments are.
        public var loop: Looping?
        /// How its pictures lie in the output; its times count on the composition.
        public var layout: Layout?

        public init(
            _ media: Media, segments: [Segment] = [], volume: Volume? = nil, duck: Ducking? = nil,
            layout: Layout? = nil
        ) {
            (self.media, self.segments, self.volume) = (media, segments, volume)
            (self.duck, self.layout) = (duck, layout)
        }

        /// Takes whole sources in order.
        public init(_ media: Media, _ sources: [String]) {
            self.init(media, segments: sources.map { Segment(source: $0) })
        }

        /// How long the track lasts; nil where only its sources tell.
        public var duration: MediaTime? {
            segments.reduce(.zero) { total, segment in
                total.flatMap { total in
                    segment.length.map { total + $0 - (segment.transition?.duration ?? .zero) }
                }
            }
        }
    }

    /// How long the longest track lasts that is not repeated; nil where only the sources tell.
    public var duration: MediaTime? {
        tracks.filter { $0.loop == nil }.reduce(.zero) { longest, track in
            longest.flatMap { longest in track.duration.map { max(longest, $0) } }
        }
    }
}
