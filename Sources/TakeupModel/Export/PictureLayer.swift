public import TakeupTimeline

/// Pictures that are made of those of several sources.
public struct ComposedPictures: Sendable, Equatable, Codable {
    /// Pictures a second; each is made of what its layers show at its time.
    public var rate: Ratio
    /// How many pictures there are.
    public var count: Int
    /// What is seen where no picture is.
    public var background: PictureColor
    /// From the lowest to the one on top; those of one track in the order in which they are seen.
    public var layers: [PictureLayer]
    /// Drawn above all layers, the last one on top.
    public var titles: [PlacedTitle] = []
    /// Drawn above all titles.
    public var subtitles: [DrawnSubtitles] = []

    package init(rate: Ratio, count: Int, background: PictureColor, layers: [PictureLayer]) {
        (self.rate, self.count) = (rate, count)
        (self.background, self.layers) = (background, layers)
    }

    /// When a picture is shown.
    package func time(of index: Int) -> MediaTime {
        MediaTime(value: Int64(index) * rate.denominator, timescale: rate.numerator)
    }

    /// The first picture that is shown at a time or nearest to it.
    package func index(of time: MediaTime) -> Int {
        Int(time.ticks(of: rate.denominator, over: rate.numerator))
    }
}

/// A stretch of a source's pictures, and how it lies in the output.
public struct PictureLayer: Sendable, Equatable, Codable {
    /// Which of the timeline's tracks, from 0.
    public var track: Int
    public var segment: TrackSegment
    /// By the output's time.
    public var layout: Layout
    /// How it replaces what was before it, and how it is replaced; nil for a cut.
    public var enters: PlacedTransition?
    public var leaves: PlacedTransition?

    package init(
        track: Int, segment: TrackSegment, layout: Layout, enters: PlacedTransition? = nil,
        leaves: PlacedTransition? = nil
    ) {
        (self.track, self.segment, self.layout) = (track, segment, layout)
        (self.enters, self.leaves) = (enters, leaves)
    }

    package var json: JSONValue {
        [
            "track": .whole(track), "start": .time(segment.targetStart),
            "duration": .time(segment.duration), "layout": .text("\(layout)"),
            "enters": .text(optional: enters?.kind.rawValue),
            "from": TrackOrigin(source: segment.source, track: segment.track ?? 0).json,
        ]
    }
}

/// A transition by the output's time; it may begin before the output does.
public struct PlacedTransition: Sendable, Equatable, Codable {
    public var kind: Transition.Kind
    public var color: PictureColor
    public var start: MediaTime
    public var duration: MediaTime

    package init(_ transition: Transition, start: MediaTime) {
        (kind, color) = (transition.kind, transition.color ?? .black)
        (self.start, duration) = (start, transition.duration)
    }

    /// How much of it is over at a time: 0 to 1.
    package func share(at time: MediaTime) -> Double {
        min(max((time - start).seconds / duration.seconds, 0), 1)
    }
}
