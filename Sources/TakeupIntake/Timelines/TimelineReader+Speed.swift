internal import TakeupModel
internal import TakeupTimeline

/// The fields of a segment that say how fast it plays, in which timecode it counts, and how long nothing is seen.
extension TimelineReader {
    /// The rate of the source's timecode.
    mutating func rate(
        _ element: JSONElement, startsAt members: [JSONElement.Member]
    ) -> Ratio? {
        guard case .text(let text) = element.value, let rate = FrameRate(text)?.ratio else {
            note(
                element, "timecode", "needs a frame rate such as \"25\" or \"30000/1001\"")
            return nil
        }
        guard members.contains(where: { $0.key == "start" }) else {
            note(element, "timecode", "needs a start that counts in it")
            return nil
        }
        return rate
    }

    mutating func emptyTime(
        _ element: JSONElement, isAlone: Bool
    ) -> Composition.Segment {
        if !isAlone {
            note(element, "empty", "cannot stand beside other fields", hint: "give it alone")
        }
        guard let time = time(element, "empty") else { return .empty(.zero) }
        if time <= .zero { note(element, "empty", "has to be more than 0") }
        return .empty(time)
    }

    mutating func speed(_ element: JSONElement) -> Ratio? {
        let text: String? =
            switch element.value {
            case .text(let text), .number(let text): text
            case .null, .flag, .cell, .list, .object: nil
            }
        guard let text, !text.contains(":"), let times = MediaTime(parsing: text) else {
            note(element, "speed", "needs a number such as 2, 1.25 or \"1/2\"")
            return nil
        }
        let speed = Ratio(times.value, times.timescale)
        guard Composition.permits(speed) else {
            note(element, "speed", "may be 1/100 to 100, but is \(text)")
            return nil
        }
        return speed
    }

    mutating func pitch(_ element: JSONElement) -> Composition.Segment.Pitch? {
        if case .text(let word) = element.value,
            let pitch = Composition.Segment.Pitch(rawValue: word)
        {
            return pitch
        }
        note(element, "pitch", "may be keep or follow")
        return nil
    }
}
