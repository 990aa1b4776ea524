import TakeupModel
import TakeupTimeline
import TestSupport

/// A track as a list of parts, placed one after another by adding milliseconds.
struct NaiveLayers {
    struct Shown: Equatable {
        var track: Int
        /// In the source.
        var position: MediaTime
        var share: Double

        static func == (one: Self, other: Self) -> Bool {
            one.track == other.track && one.position == other.position
                && abs(one.share - other.share) < 1e-9
        }
    }

    private struct Part {
        /// Milliseconds; nil for empty time.
        var source: Int?
        var length: Int
        var overlap: Int
        /// Source time for output time.
        var speed: Int
        var start = 0
    }

    private var parts: [Part] = []
    private(set) var end = 0

    static func time(_ milliseconds: Int) -> MediaTime {
        MediaTime(value: Int64(milliseconds), timescale: 1000)
    }

    init(_ random: inout SeededRandom) {
        for place in 0..<2 + random.below(5) {
            let isEmpty = place > 0 && random.below(4) == 0
            var part = Part(
                source: isEmpty ? nil : random.below(3000), length: 1000 + random.below(2000),
                overlap: 0, speed: 1 + random.below(2))
            if place > 0, !(isEmpty && parts[place - 1].source == nil), random.below(2) == 0 {
                part.overlap = 1 + random.below(500)
            }
            part.start = end - part.overlap
            end = part.start + part.length
            parts.append(part)
        }
    }

    var segments: [Composition.Segment] {
        parts.map { part in
            var segment =
                part.source.map { source in
                    Composition.Segment(
                        source: "a",
                        range: TimeRange(
                            start: Self.time(source),
                            duration: Self.time(part.length * part.speed)),
                        speed: Ratio(Int64(part.speed), 1))
                } ?? .empty(Self.time(part.length))
            if part.overlap > 0 {
                segment.transition = Transition(.dissolve, Self.time(part.overlap))
            }
            return segment
        }
    }

    func showsAnything(from start: Int, to end: Int) -> Bool {
        parts.contains { $0.source != nil && $0.start < end && $0.start + $0.length > start }
    }

    /// Each source that is seen at a time, and how much of it.
    func shown(at time: Int, track: Int) -> [Shown] {
        parts.indices.compactMap { place in
            let part = parts[place]
            guard let source = part.source, part.start <= time, time < part.start + part.length
            else { return nil }
            var share = 1.0
            if part.overlap > 0, time < part.start + part.overlap {
                share *= Double(time - part.start) / Double(part.overlap)
            }
            if place + 1 < parts.count, parts[place + 1].overlap > 0, time >= parts[place + 1].start
            {
                share *=
                    1 - Double(time - parts[place + 1].start) / Double(parts[place + 1].overlap)
            }
            return Shown(
                track: track, position: Self.time(source + (time - part.start) * part.speed),
                share: share)
        }
    }
}

extension TrackSegment {
    func holds(_ time: MediaTime) -> Bool {
        targetStart <= time && time < targetStart + duration
    }

    func position(at time: MediaTime) -> MediaTime {
        sourceStart + (time - targetStart).taken(at: speed)
    }
}
