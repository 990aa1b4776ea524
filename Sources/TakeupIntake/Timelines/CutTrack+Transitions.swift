internal import TakeupModel
internal import TakeupTimeline

/// A transition of another program: it lies over a cut, and takes what lies behind it of one segment and before it of the
/// next one.
struct CutTransition {
    let kind: Transition.Kind
    /// How long it lasts before and behind the cut.
    let before: MediaTime
    let behind: MediaTime
    /// Such as `transition 2`, for messages.
    let name: String
    let line: Int?

    /// Joins two items of a track.
    ///
    /// The first one is lengthened by what is behind the cut, the second one by what is before it, so that nothing moves.
    ///
    /// - Parameters:
    ///   - items: What is before the cut; empty at the start of a track.
    ///   - next: What is behind it, at least one item.
    /// - Throws: Why they cannot be joined.
    func join(_ items: inout [CutTrack.Item], _ next: inout [CutTrack.Item]) throws(BatchFault) {
        guard before >= .zero, behind >= .zero else { throw fault("lasts less than no time") }
        guard before + behind > .zero else { return }
        if let last = items.last {
            items[items.count - 1].segment = try lengthened(last, by: behind, atStart: false)
        } else {
            guard before == .zero else {
                throw fault(
                    "begins before the track does", hint: "move it behind the track's start")
            }
            items = [CutTrack.Item(segment: .empty(behind), name: "a gap", line: nil)]
        }
        next[0].segment = try lengthened(next[0], by: before, atStart: true)
        next[0].segment.transition = Transition(kind, before + behind)
    }

    /// Lets the last item of a track fade out.
    func end(_ items: inout [CutTrack.Item]) throws(BatchFault) {
        guard behind == .zero else {
            throw fault("ends behind the track", hint: "let it end with the track")
        }
        var rest = [CutTrack.Item(segment: .empty(.zero), name: "a gap", line: nil)]
        guard !items.isEmpty else { throw fault("joins nothing") }
        try join(&items, &rest)
        items += rest
    }

    private func lengthened(
        _ item: CutTrack.Item, by time: MediaTime, atStart: Bool
    ) throws(BatchFault) -> Composition.Segment {
        guard item.length != nil else {
            throw fault("joins \(item.name), whose length is not stated")
        }
        let longer = item.segment.lengthened(
            atStart: atStart ? time : .zero, atEnd: atStart ? .zero : time)
        guard let longer else {
            throw fault(
                "takes \(time) before the start of \(item.name), but its media begins later",
                hint: "shorten the transition, or let the clip begin later in its media")
        }
        return longer
    }

    private func fault(_ reason: String, hint: String? = nil) -> BatchFault {
        BatchFault(line: line, reason: "\(name): \(reason)", hint: hint)
    }
}

extension Composition.Segment {
    /// The same with more of its source, or less for times below 0, at its start and its end.
    ///
    /// It is nil where its source begins later, or its length is not stated.
    func lengthened(atStart head: MediaTime, atEnd tail: MediaTime) -> Self? {
        guard let length else { return nil }
        var longer: Self
        if let source {
            guard let range, let own = range.duration else { return nil }
            let start = range.start - head.taken(at: speed)
            guard start >= .zero else { return nil }
            longer = Self(
                source: source,
                range: TimeRange(start: start, duration: own + (head + tail).taken(at: speed)),
                speed: speed)
            (longer.timecodeRate, longer.pitch) = (timecodeRate, pitch)
        } else {
            longer = .empty(length + head + tail)
        }
        (longer.transition, longer.layout) = (transition, layout)
        return longer
    }
}

extension Composition.Track {
    /// The segments as programs have them whose transitions lie over cuts: each without the half of its transitions.
    ///
    /// - Returns: Nil where a segment's length is not stated.
    var cutSegments: [Composition.Segment]? {
        var cut: [Composition.Segment] = []
        for (place, segment) in segments.enumerated() {
            func half(_ transition: Transition?) -> MediaTime {
                .zero - (transition.map { $0.duration.shown(at: Ratio(2, 1)) } ?? .zero)
            }
            let next = place + 1 < segments.count ? segments[place + 1].transition : nil
            guard segment.transition != nil || next != nil else {
                cut.append(segment)
                continue
            }
            guard
                let shorter = segment.lengthened(
                    atStart: half(segment.transition), atEnd: half(next))
            else { return nil }
            cut.append(shorter)
        }
        return cut
    }
}
