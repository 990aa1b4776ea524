internal import TakeupTimeline

extension ExportPlanner {
    /// Highest number of parts that a decision names.
    private static let mostNamed = 8

    /// How far a range may end after the source without a warning; a user who rounds a duration up
    /// means the end.
    private static let slack = MediaTime(value: 1, timescale: 20)

    /// Computes where each clip's part of the time range lies in its source and in the output.
    mutating func place(_ selections: [Selection]) throws(ExportError) -> [Span] {
        var spans: [Span] = []
        var composed = MediaTime.zero
        var target = MediaTime.zero
        for (place, taken) in try taken(selections).enumerated() {
            let clip = selections[place].clip
            let length = (taken.end - taken.start).shown(at: clip.speed)
            let begins = composed
            composed = composed + length
            let first = max(begins, settings.timeRange?.start ?? .zero)
            let last = min(composed, settings.timeRange?.end ?? composed)
            guard first < last || (selections.count == 1 && settings.timeRange == nil) else {
                continue
            }
            let whole = selections[place].duration
            let offset = taken.start + (first - begins).taken(at: clip.speed)
            let duration = max(.zero, last - first)
            let isEmpty = clip.empty != nil
            let reachesEnd = !isEmpty && last == composed && taken.end == whole
            let span = Span(
                clip: place, offset: offset, duration: duration, target: target,
                isWhole: offset == .zero && reachesEnd, reachesEnd: reachesEnd,
                speed: clip.speed, isEmpty: isEmpty)
            spans.append(span)
            target = target + span.duration
        }
        noteShortRange(composed)
        guard !spans.isEmpty else {
            throw .invalidRequest(
                reason: "the time range begins at \(settings.timeRange?.start ?? .zero), "
                    + "the source lasts \(composed)",
                hint: "choose a start before the end of the source")
        }
        guard spans.contains(where: { !$0.isEmpty }) else {
            throw .invalidRequest(
                reason: "the time range holds nothing but empty time",
                hint: "choose a range that holds a part of a source")
        }
        return spans
    }

    /// Records the empty time and the speeds that a timeline asks for.
    mutating func noteTimeline(_ spans: [Span]) {
        let empty = spans.filter(\.isEmpty)
        if !empty.isEmpty {
            let total = empty.reduce(MediaTime.zero) { $0 + $1.duration }
            decide(
                "empty time", empty.count == 1 ? "\(total)" : "\(empty.count) times, \(total)",
                because: "the timeline has it: black pictures and silence are made")
        }
        var speeds: [String] = []
        for span in spans {
            guard let speed = span.speed else { continue }
            let text = "part \(clips[span.clip].place + 1) at \(speed)"
            if speeds.last != text { speeds.append(text) }
        }
        guard !speeds.isEmpty else { return }
        let more = speeds.count - Self.mostNamed
        decide(
            "speed",
            speeds.prefix(Self.mostNamed).joined(separator: ", ")
                + (more > 0 ? " and \(more) more" : ""),
            because: "the timeline plays it faster or slower; the sound keeps its pitch")
    }

    /// Computes which part of each clip the composition takes, counted from the clip's own start.
    ///
    /// - Returns: Start and end for each clip; equal where the composition takes nothing of it.
    /// - Throws: `ExportError` with `.invalidRequest` for a part that begins behind its source.
    private mutating func taken(
        _ selections: [Selection]
    ) throws(ExportError) -> [(start: MediaTime, end: MediaTime)] {
        var all: [(start: MediaTime, end: MediaTime)] = []
        while all.count < selections.count {
            let clip = selections[all.count].clip
            // The parts of one file follow each other, and the range counts from the first one's start.
            let group = selections[all.count...].prefix { $0.clip.place == clip.place }
            let length = group.reduce(MediaTime.zero) { $0 + $1.duration }
            let range = clip.range ?? TimeRange(start: .zero, end: length)
            guard clip.range == nil || range.start < length else {
                throw .invalidRequest(
                    reason: "part \(clip.place + 1) begins at \(range.start), but "
                        + "\(name(of: clip)) lasts \(length)",
                    hint: "choose a start before the end of the source")
            }
            noteShortPart(clip, length)
            var begins = MediaTime.zero
            for selection in group {
                let end = begins + selection.duration
                let first = min(max(begins, range.start), end)
                let last = max(first, min(end, range.end ?? end))
                all.append((first - begins, last - begins))
                begins = end
            }
        }
        return all
    }

    private func name(of clip: Clip) -> String {
        (clip.videoSource ?? clip.audioSource).map { assets[$0].description.name } ?? names
    }

    /// Warns that a part of a composition ends after its source.
    private mutating func noteShortPart(_ clip: Clip, _ length: MediaTime) {
        guard let end = clip.range?.end, end - length > Self.slack else { return }
        warnings.append(
            ExportWarning(
                code: "rangeShortened",
                message: "part \(clip.place + 1) ends at \(end), but \(name(of: clip)) lasts "
                    + "\(length): what follows comes "
                    + "\((end - length).shown(at: clip.speed)) earlier"))
    }

    /// Warns that a range extends beyond the source.
    private mutating func noteShortRange(_ length: MediaTime) {
        guard let range = settings.timeRange, let end = range.end, end - length > Self.slack,
            range.start < length
        else { return }
        warnings.append(
            ExportWarning(
                code: "rangeShortened",
                message: "the range ends at \(end), but the source lasts \(length): "
                    + "the output is \(length - range.start) long"))
    }
}
