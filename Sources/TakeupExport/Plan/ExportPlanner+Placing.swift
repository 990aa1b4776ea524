internal import TakeupTimeline

extension ExportPlanner {
    /// Highest number of parts that a decision names.
    private static let mostNamed = 8

    /// How far a range may end after the source without a warning; a user who rounds a duration up
    /// means the end.
    private static let slack = MediaTime(value: 1, timescale: 20)

    /// What a composition takes of a clip, counted from the clip's own start.
    private typealias Taken = (start: MediaTime, end: MediaTime)

    /// A track of the composition, and what is taken of its clips.
    private struct Layer {
        let track: Int
        var places: [Int]
        var taken: [Taken]
        /// When it ends on the timeline.
        let end: MediaTime
    }

    /// Computes where each clip's part of the time range lies in its source and in the output, track by track.
    mutating func place(_ selections: inout [Selection]) throws(ExportError) -> [Line] {
        try settle(&selections)
        var layers: [Layer] = []
        for (track, places) in Dictionary(grouping: clips.indices, by: { clips[$0].track })
            .sorted(by: { $0.key < $1.key }) where places.contains(where: isKept)
        {
            let taken = try taken(places.map { selections[$0] })
            try refuseShort(places, taken)
            let end = begins(places, taken).end
            layers.append(Layer(track: track, places: places, taken: taken, end: end))
        }
        let total = layers.map(\.end).max() ?? .zero
        timelineEnd = total
        try fillPictures(of: &layers, until: total, &selections)
        noteShortRange(total)
        let lines = layers.map {
            Line(track: $0.track, spans: spans($0.places, $0.taken, selections))
        }
        let showsPictures = layers.contains { layer in
            layer.places.contains { selections[$0].video != nil }
        }
        try refuseEmpty(lines, showsPictures: showsPictures, total)
        return lines
    }

    /// Lets black follow a track of pictures that ends before the longest track.
    private mutating func fillPictures(
        of layers: inout [Layer], until total: MediaTime, _ selections: inout [Selection]
    ) throws(ExportError) {
        guard !composes,
            let first = layers.firstIndex(where: { layer in
                layer.places.contains { selections[$0].video != nil }
            }), total - layers[first].end > Self.slack
        else { return }
        let rest = total - layers[first].end
        layers[first].places.append(clips.count)
        layers[first].taken.append((.zero, rest))
        clips.append(Clip(place: Clip.fill, empty: rest, track: layers[first].track))
        selections.append(try select(clips[clips.count - 1]))
        decide(
            "pictures", "black for the last \(rest) of the timeline",
            because: "another track lasts longer")
    }

    private func refuseEmpty(
        _ lines: [Line], showsPictures: Bool, _ total: MediaTime
    ) throws(ExportError) {
        guard !lines.isEmpty else { return }
        let spans = lines.flatMap(\.spans)
        guard !spans.isEmpty else {
            throw .invalidRequest(
                reason: "the time range begins at \(settings.timeRange?.start ?? .zero), "
                    + "the source lasts \(total)",
                hint: "choose a start before the end of the source")
        }
        let isEmpty = spans.allSatisfy(\.isEmpty)
        // Only a source tells the size of black pictures.
        let isUnseen = pictured(lines).allSatisfy { $0.spans.allSatisfy(\.isEmpty) }
        guard isEmpty || showsPictures && isUnseen else { return }
        throw .invalidRequest(
            reason: isEmpty
                ? "the time range holds nothing but empty time"
                : "the time range holds no picture of any source, only empty time",
            hint: "choose a range that holds a part of a source")
    }

    /// Returns whether the preset keeps anything that a clip takes.
    func isKept(_ place: Int) -> Bool {
        preset.video != nil && clips[place].videoSource != nil
            || preset.audio != nil && clips[place].audioSource != nil
    }

    /// Computes the parts of one track's clips that lie within the time range.
    private func spans(
        _ places: [Int], _ parts: [Taken], _ selections: [Selection]
    ) -> [Span] {
        var spans: [Span] = []
        let all = begins(places, parts).starts
        let zero = settings.timeRange?.start ?? .zero
        var own = 0
        for (index, (place, taken)) in zip(places, parts).enumerated() {
            let clip = clips[place]
            if clips[places[own]].place != clip.place { own = index }
            let begins = all[index]
            let composed = begins + (taken.end - taken.start).shown(at: clip.speed)
            let first = max(begins, zero)
            let last = min(composed, settings.timeRange?.end ?? composed)
            guard first < last || (places.count == 1 && settings.timeRange == nil) else { continue }
            let offset = taken.start + (first - begins).taken(at: clip.speed)
            let isEmpty = clip.empty != nil
            let reachesEnd =
                !isEmpty && last == composed && taken.end == selections[place].duration
            // What a coder adds behind the source's end does not belong to a part with that end.
            let isOpen = settings.timeRange?.end != composed && clip.range?.end != taken.end
            let next = places[index...].firstIndex { clips[$0].place != clip.place }
            spans.append(
                Span(
                    clip: place, offset: offset, duration: max(.zero, last - first),
                    target: first - zero, isWhole: offset == .zero && reachesEnd,
                    reachesEnd: reachesEnd && isOpen, speed: clip.speed, isEmpty: isEmpty,
                    begins: all[own] - zero,
                    enters: clip.transition.map { PlacedTransition($0, start: all[own] - zero) },
                    leaves: next.flatMap { next in
                        clips[places[next]].transition.map {
                            PlacedTransition($0, start: all[next] - zero)
                        }
                    }))
        }
        return spans
    }

    /// When each clip of a track begins on the timeline, and when the track ends.
    ///
    /// A segment with a transition begins before the one before it ends.
    private func begins(_ places: [Int], _ parts: [Taken]) -> (starts: [MediaTime], end: MediaTime)
    {
        var (starts, end): ([MediaTime], MediaTime) = ([], .zero)
        for (index, (place, taken)) in zip(places, parts).enumerated() {
            let clip = clips[place]
            if let transition = clip.transition, index > 0,
                clips[places[index - 1]].place != clip.place
            {
                end = end - transition.duration
            }
            starts.append(end)
            end = end + (taken.end - taken.start).shown(at: clip.speed)
        }
        return (starts, end)
    }

    /// Refuses a segment that is shorter than its transitions.
    private func refuseShort(_ places: [Int], _ parts: [Taken]) throws(ExportError) {
        guard places.contains(where: { clips[$0].transition != nil }) else { return }
        var lengths: [(place: Int, length: MediaTime)] = []
        for (place, taken) in zip(places, parts) {
            let own = (taken.end - taken.start).shown(at: clips[place].speed)
            if let last = lengths.last, clips[last.place].place == clips[place].place {
                lengths[lengths.count - 1].length = last.length + own
            } else {
                lengths.append((place, own))
            }
        }
        for (index, (place, length)) in lengths.enumerated() {
            let next = index + 1 < lengths.count ? clips[lengths[index + 1].place].transition : nil
            let overlaps =
                (clips[place].transition?.duration ?? .zero) + (next?.duration ?? .zero)
            guard overlaps > length else { continue }
            throw .invalidRequest(
                reason: "\(words(clips[place])) lasts \(length), but its transitions \(overlaps)",
                hint: "shorten the transitions, or take a longer part")
        }
    }

    /// Records the empty time and the speeds that a timeline asks for.
    mutating func noteTimeline(_ spans: [Span], pictures: [Span]) {
        // Upper layers are transparent there, and silence needs no word.
        let empty = pictures.filter { $0.isEmpty && clips[$0.clip].place != Clip.fill }
        if !empty.isEmpty {
            let total = empty.reduce(MediaTime.zero) { $0 + $1.duration }
            decide(
                "empty time", empty.count == 1 ? "\(total)" : "\(empty.count) times, \(total)",
                because: "the timeline has it: black pictures and silence are made")
        }
        var speeds: [String] = []
        for span in spans {
            guard let speed = span.speed else { continue }
            let text = "\(words(clips[span.clip])) at \(speed)"
            if speeds.last != text { speeds.append(text) }
        }
        guard !speeds.isEmpty else { return }
        let more = speeds.count - Self.mostNamed
        decide(
            "speed",
            speeds.prefix(Self.mostNamed).joined(separator: ", ")
                + (more > 0 ? " and \(more) more" : ""),
            because: "the timeline plays it faster or slower; "
                + Self.pitch(spans.filter { $0.speed != nil }.map { clips[$0.clip].followsPitch }))
    }

    /// Says what becomes of the pitch of sounds.
    private static func pitch(_ follows: [Bool]) -> String {
        guard follows.contains(true) else { return "the sound keeps its pitch" }
        return follows.contains(false)
            ? "some sound keeps its pitch, some follows the speed"
            : "the pitch of the sound follows the speed"
    }

    /// Computes which part of each clip the composition takes, counted from the clip's own start.
    ///
    /// - Returns: Start and end for each clip; equal where the composition takes nothing of it.
    /// - Throws: `ExportError` with `.invalidRequest` for a part that begins behind its source.
    private mutating func taken(
        _ selections: [Selection]
    ) throws(ExportError) -> [Taken] {
        var all: [Taken] = []
        while all.count < selections.count {
            let clip = selections[all.count].clip
            // The parts of one file follow each other, and the range counts from the first one's start.
            let group = selections[all.count...].prefix { $0.clip.place == clip.place }
            let length = self.length(of: clip, group.reduce(MediaTime.zero) { $0 + $1.duration })
            let range = clip.range ?? TimeRange(start: .zero, end: length)
            guard clip.range == nil || range.start < length else {
                throw .invalidRequest(
                    reason: "\(words(clip)) begins at \(range.start), but "
                        + "\(name(of: clip)) lasts \(length)",
                    hint: "choose a start before the end of the source")
            }
            noteShortPart(clip, length)
            if isStill(clip), group.count == 1 {
                // One picture is the same at any start.
                all.append((.zero, (range.end ?? length) - range.start))
                continue
            }
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

    /// Names a clip, for messages.
    private func words(_ clip: Clip) -> String {
        let isAlone = clips.allSatisfy { $0.track == 0 }
        return "part \(clip.place + 1)" + (isAlone ? "" : " of track \(clip.track + 1)")
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
                message: "\(words(clip)) ends at \(end), but \(name(of: clip)) lasts "
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
