public import TakeupTimeline

/// AVFoundation's edits of one track: `insertTimeRange`, `insertEmptyTimeRange`, `removeTimeRange`, `scaleTimeRange`.
///
/// A track with transitions cannot be edited: its segments overlap.
///
/// Every edit leaves the track in its shortest form: no segment without length, no two neighbours that are one stretch
/// of one source, no empty time at the end.
extension Composition.Track {
    /// Inserts segments at a time; what lies there later moves back by their length.
    ///
    /// - Parameters:
    ///   - inserted: Segments with a length.
    ///   - time: A time within a segment divides it; one behind the end is reached through empty time; nil appends.
    /// - Throws: `CompositionError`; segments without a length.
    public mutating func insert(
        _ inserted: [Composition.Segment], at time: MediaTime? = nil
    ) throws(CompositionError) {
        let total = try Self.length(of: segments)
        _ = try Self.length(of: inserted)
        let place = time ?? total
        guard place >= .zero else { throw .invalidTime(place) }
        var (before, after) = divided(at: place)
        if place > total { before.append(.empty(place - total)) }
        before += inserted
        before += after
        segments = before
        settle()
    }

    /// Inserts empty time; what lies there later moves back.
    ///
    /// At or behind the end nothing is inserted.
    ///
    /// - Throws: `CompositionError`.
    public mutating func insertEmpty(_ range: TimeRange) throws(CompositionError) {
        let span = try Self.span(range)
        guard span.start < (try Self.length(of: segments)) else { return }
        try insert([.empty(span.duration)], at: span.start)
    }

    /// Removes a stretch of time; what lies later moves forward to its start.
    ///
    /// - Throws: `CompositionError`.
    public mutating func remove(_ range: TimeRange) throws(CompositionError) {
        let span = try Self.span(range)
        _ = try Self.length(of: segments)
        let (before, rest) = divided(at: span.start)
        let (_, after) = Self.divide(rest, at: span.duration)
        segments = before + after
        settle()
    }

    /// Gives a stretch of time another duration: each segment in it, or its part, plays faster or slower.
    ///
    /// - Parameters:
    ///   - range: Only what lies before the track's end counts.
    ///   - duration: Longer than 0. Empty time in the stretch is scaled, too.
    /// - Throws: `CompositionError`.
    public mutating func scale(
        _ range: TimeRange, to duration: MediaTime
    ) throws(CompositionError) {
        let span = try Self.span(range)
        guard duration > .zero else {
            throw .invalidRange(TimeRange(start: .zero, duration: duration))
        }
        _ = try Self.length(of: segments)
        let (before, rest) = divided(at: span.start)
        let (inside, after) = Self.divide(rest, at: span.duration)
        // From positions, not from lengths: no rounding adds up.
        var position = MediaTime.zero
        let scaled = inside.map { segment in
            let start = position
            position = position + (segment.length ?? .zero)
            let length =
                position.scaled(by: duration, over: span.duration)
                - start.scaled(by: duration, over: span.duration)
            var part = Composition.Segment(
                source: segment.source, range: segment.range, duration: length,
                timecodeRate: segment.timecodeRate, layout: segment.layout)
            part.pitch = segment.pitch
            return part
        }
        segments = before + scaled + after
        settle()
    }

    private static func span(
        _ range: TimeRange
    ) throws(CompositionError) -> (start: MediaTime, duration: MediaTime) {
        guard range.start >= .zero, let duration = range.duration, duration > .zero else {
            throw .invalidRange(range)
        }
        return (range.start, duration)
    }

    private static func length(
        of segments: [Composition.Segment]
    ) throws(CompositionError) -> MediaTime {
        var total = MediaTime.zero
        for (index, segment) in segments.enumerated() {
            guard segment.transition == nil else { throw .transition(segment: index) }
            guard let length = segment.length else {
                throw .unknownLength(track: 0, segment: index)
            }
            total = total + length
        }
        return total
    }

    private func divided(
        at time: MediaTime
    ) -> (before: [Composition.Segment], after: [Composition.Segment]) {
        Self.divide(segments, at: time)
    }

    /// Divides segments at a time counted from the first one's start.
    private static func divide(
        _ segments: [Composition.Segment], at time: MediaTime
    ) -> (before: [Composition.Segment], after: [Composition.Segment]) {
        var before: [Composition.Segment] = []
        var start = MediaTime.zero
        for (index, segment) in segments.enumerated() {
            let end = start + (segment.length ?? .zero)
            if end <= time {
                before.append(segment)
            } else if start >= time {
                return (before, Array(segments[index...]))
            } else {
                let (first, second) = segment.divided(at: time - start)
                return (before + [first], [second] + segments[(index + 1)...])
            }
            start = end
        }
        return (before, [])
    }

    private mutating func settle() {
        var settled: [Composition.Segment] = []
        for segment in segments where segment.length != .zero {
            if let joined = settled.last?.joined(with: segment) {
                settled[settled.count - 1] = joined
            } else {
                settled.append(segment)
            }
        }
        while settled.last?.isEmpty == true { settled.removeLast() }
        segments = settled
    }
}

extension Composition.Segment {
    /// Divides a segment of known length at a time within it.
    package func divided(at time: MediaTime) -> (Self, Self) {
        guard let length else { return (self, self) }
        let rest = length - time
        guard !isEmpty else { return (.empty(time), .empty(rest)) }
        let whole = range ?? TimeRange(start: .zero, duration: length)
        let used = (whole.duration ?? length).scaled(by: time, over: length)
        let middle = whole.start + used
        func part(_ range: TimeRange, _ own: MediaTime, _ layout: Layout?) -> Self {
            var part = Self(
                source: source, range: range, duration: range.duration == own ? nil : own,
                timecodeRate: timecodeRate, layout: layout)
            part.pitch = pitch
            return part
        }
        var first = part(TimeRange(start: whole.start, duration: used), time, layout)
        first.transition = transition
        return (
            first,
            part(
                TimeRange(start: middle, duration: (whole.duration ?? length) - used), rest,
                layout?.counted(from: time))
        )
    }

    /// One segment for two neighbours that are one stretch of one source at one speed; nil for others.
    fileprivate func joined(with next: Self) -> Self? {
        guard source == next.source, timecodeRate == next.timecodeRate, pitch == next.pitch,
            let length, let more = next.length, layout == next.layout, layout?.isConstant ?? true,
            transition == nil, next.transition == nil
        else { return nil }
        guard !isEmpty else { return .empty(length + more) }
        guard let range, let own = range.duration, let following = next.range,
            let further = following.duration, range.start + own == following.start,
            // The same speed.
            own.scaled(by: more, over: length) == further
        else { return nil }
        let (media, total) = (own + further, length + more)
        var joined = Self(
            source: source, range: TimeRange(start: range.start, duration: media),
            duration: media == total ? nil : total, timecodeRate: timecodeRate, layout: layout)
        joined.pitch = pitch
        return joined
    }
}
