internal import TakeupTimeline

/// What only the lengths of the sources decide: parts that may be shorter, and tracks that are repeated.
extension ExportPlanner {
    /// A shorter transition is a cut.
    private static let shortestTransition = MediaTime(value: 1, timescale: 25)

    /// Gives every clip and transition its length, and repeats tracks until the others end.
    ///
    /// - Throws: `ExportError` with `.invalidRequest` for a track that would be repeated too often.
    mutating func settle(_ selections: inout [Selection]) throws(ExportError) {
        guard !loops.isEmpty || clips.contains(where: { $0.most != nil }) else { return }
        var end = MediaTime.zero
        for track in Set(clips.map(\.track)).sorted() where loops[track] == nil {
            let places = places(of: track)
            settle(places, &selections)
            end = max(end, length(of: places, selections))
        }
        for track in loops.keys.sorted() {
            try `repeat`(places(of: track), of: track, until: end, &selections)
        }
        loopEnd = end
    }

    /// The clips of a track of which the preset keeps something; none of other tracks.
    private func places(of track: Int) -> [Int] {
        let places = clips.indices.filter { clips[$0].track == track }
        return places.contains(where: isKept) ? places : []
    }

    /// Clips of one segment, and how long they last on the timeline together.
    private struct Part {
        var places: [Int]
        var length: MediaTime
        /// Whether it lasts as long as its source gives.
        var isFlexible: Bool
    }

    private mutating func settle(_ places: [Int], _ selections: inout [Selection]) {
        guard places.contains(where: { clips[$0].most != nil }) else { return }
        for part in parts(places, selections) where part.isFlexible {
            for place in part.places {
                guard let most = clips[place].most else { continue }
                let start = clips[place].range?.start ?? .zero
                let own = part.places.reduce(MediaTime.zero) { $0 + selections[$1].duration }
                // What ends before needs no end: all that its source gives is taken.
                guard isStill(clips[place]) || own > start + most else { continue }
                clips[place].range = TimeRange(start: start, duration: most)
                selections[place].clip.range = clips[place].range
            }
        }
        shorten(parts(places, selections), &selections)
    }

    /// Makes transitions so short that each part has room for both of its own.
    private mutating func shorten(_ parts: [Part], _ selections: inout [Selection]) {
        var shortened = 0
        for (before, part) in zip(parts, parts.dropFirst()) {
            guard before.isFlexible || part.isFlexible,
                let transition = part.places.first.flatMap({ clips[$0].transition })
            else { continue }
            let room = min(before.length, part.length).scaled(by: 1, over: 2)
            guard room < transition.duration else { continue }
            shortened += 1
            for place in part.places {
                clips[place].transition =
                    room < Self.shortestTransition
                    ? nil : Transition(transition.kind, room, color: transition.color)
                selections[place].clip.transition = clips[place].transition
            }
        }
        guard shortened > 0 else { return }
        decide(
            "transitions", shortened == 1 ? "1 is shorter" : "\(shortened) are shorter",
            because: "a transition takes at most half of the clips that it joins")
    }

    private func parts(_ places: [Int], _ selections: [Selection]) -> [Part] {
        var parts: [Part] = []
        for place in places {
            if let last = parts.last?.places.last, clips[last].place == clips[place].place {
                parts[parts.count - 1].places.append(place)
            } else {
                parts.append(
                    Part(places: [place], length: .zero, isFlexible: clips[place].most != nil))
            }
        }
        for (index, part) in parts.enumerated() {
            let clip = clips[part.places[0]]
            let own = part.places.reduce(MediaTime.zero) { $0 + selections[$1].duration }
            let most = length(of: clip, own)
            let end = min(most, clip.range?.end ?? most)
            let start = min(clip.range?.start ?? .zero, end)
            parts[index].length = (end - start).shown(at: clip.speed)
        }
        return parts
    }

    /// How long clips last one after another, less the time of their transitions.
    private func length(of places: [Int], _ selections: [Selection]) -> MediaTime {
        parts(places, selections).enumerated().reduce(.zero) { total, part in
            let transition = part.offset > 0 ? clips[part.element.places[0]].transition : nil
            return total + part.element.length - (transition?.duration ?? .zero)
        }
    }

    /// Repeats a track's clips up to a time and cuts the last one there; leaves out what begins later.
    private mutating func `repeat`(
        _ places: [Int], of track: Int, until end: MediaTime, _ selections: inout [Selection]
    ) throws(ExportError) {
        settle(places, &selections)
        let once = length(of: places, selections)
        guard once > .zero, end > .zero else { return }
        let parts = parts(places, selections)
        guard Double(parts.count) * (end.seconds / once.seconds) < Double(Looping.mostSegments)
        else {
            throw .invalidRequest(
                reason: "track \(track + 1) lasts \(once) and would be repeated for \(end), "
                    + "which is more than \(Looping.mostSegments) parts",
                hint: "give it a longer sound")
        }
        var (time, number) = (MediaTime.zero, parts.count)
        var isFirst = true
        var spare: [Int] = []
        while time < end {
            for part in parts {
                if time >= end {
                    if isFirst { spare += part.places }
                    continue
                }
                let copies = isFirst ? part.places : copy(part.places, as: number, &selections)
                if !isFirst { number += 1 }
                if time + part.length > end { cut(copies, to: end - time, &selections) }
                time = time + part.length
            }
            isFirst = false
        }
        drop(spare, &selections)
        decide(
            "track \(track + 1)", once < end ? "repeated until \(end)" : "cut at \(end)",
            because: "the timeline lets it last as long as the other tracks")
    }

    private mutating func copy(
        _ places: [Int], as number: Int, _ selections: inout [Selection]
    ) -> [Int] {
        places.map { place in
            var (clip, selection) = (clips[place], selections[place])
            clip.place = number
            selection.clip = clip
            clips.append(clip)
            selections.append(selection)
            return clips.count - 1
        }
    }

    private mutating func cut(
        _ places: [Int], to length: MediaTime, _ selections: inout [Selection]
    ) {
        for place in places {
            if clips[place].empty != nil {
                (clips[place].empty, selections[place].duration) = (length, length)
            } else {
                clips[place].range = TimeRange(
                    start: clips[place].range?.start ?? .zero,
                    duration: length.taken(at: clips[place].speed))
            }
            selections[place].clip = clips[place]
        }
    }

    private mutating func drop(_ places: [Int], _ selections: inout [Selection]) {
        for place in places.sorted(by: >) {
            clips.remove(at: place)
            selections.remove(at: place)
        }
    }

    /// How a repeated track fades out at its end; nil for others.
    func fadeOut(of line: Line, from start: MediaTime) -> Volume? {
        guard let loop = loops[line.track], loop.fadeOut > .zero, let whole = loopEnd else {
            return nil
        }
        let length = min(loop.fadeOut, whole)
        let ramp = Volume.Ramp(start: whole - length, duration: length, from: 1, to: 0)
        return Volume(ramps: [ramp]).counted(from: start)
    }
}
