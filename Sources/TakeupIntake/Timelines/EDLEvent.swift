internal import TakeupModel
internal import TakeupTimeline

/// One cut of an edit decision list.
struct EDLEvent {
    /// As it is written, such as `003`.
    let number: String
    let line: Int
    let reel: String
    /// Such as `V`, `A2` or `AA/V`.
    var channels: [String]
    /// The first frame and the one behind the last, counted from 00:00:00:00.
    let source: Range<Int>
    let record: Range<Int>
    /// Texts that may name the file, the surest first.
    var files: [(rank: Int, text: String)] = []
    /// Pictures of the source in a second; nil for its own speed.
    var speed: (perSecond: Double, line: Int)?
    /// How it replaces the event before it, and for how many frames; nil for a cut.
    private(set) var transition: (kind: Transition.Kind, frames: Int)?

    /// Wipes, by their numbers.
    ///
    /// - Note: Source: SMPTE 258M, as the bar wipes of SMIL 3.0 are numbered.
    private static let wipes: [Int: Transition.Kind] = [1: .wipeRight, 2: .wipeDown]

    var isBlack: Bool { ["BL", "BLK", "BLACK"].contains(reel.uppercased()) }

    /// Reads the line of an event.
    ///
    /// - Parameters:
    ///   - words: Number, reel, channels, kind of cut, perhaps its length, and four times.
    ///   - line: From 1.
    ///   - clock: Counts frames.
    /// - Throws: Why it cannot be exported.
    init(_ words: [Substring], line: Int, clock: EDLClock) throws(BatchFault) {
        let number = String(words[0])
        func fault(_ reason: String, hint: String? = nil) -> BatchFault {
            BatchFault(line: line, reason: "event \(number): \(reason)", hint: hint)
        }
        guard words.count >= 8 else {
            throw fault("needs a number, a reel, its channels, the kind of cut and four times")
        }
        var head = words[1..<(words.count - 4)]
        var frames: Int?
        if head.count > 3, head.last?.allSatisfy(\.isNumber) == true {
            frames = Int(head.removeLast())
        }
        let kind = head.removeLast().uppercased()
        let channels = String(head.removeLast()).uppercased()
        let joint: Transition.Kind? = kind == "D" ? .dissolve : Self.wipe(kind)
        guard kind == "C" || joint != nil else {
            let what = kind.hasPrefix("D") ? "dissolves" : kind.hasPrefix("W") ? "wipes" : "keys"
            throw fault(
                "\(what) (\(kind)) cannot be exported",
                hint:
                    "make it a cut, a dissolve (D) or a wipe (W001, W002), or render it into a clip"
            )
        }
        if let joint {
            guard let frames, frames < 1_000_000 else {
                throw fault("needs the number of frames of its transition behind \(kind)")
            }
            if frames > 0 { transition = (joint, frames) }
        }
        var times: [Int] = []
        for word in words.suffix(4) {
            guard let frame = clock.frame(word) else {
                throw fault(
                    "\(QuotedWord(String(word))) is no timecode at \(clock.rate) frames a second")
            }
            times.append(frame)
        }
        guard times[0] <= times[1], times[2] <= times[3] else {
            throw fault("ends before it begins", hint: "times may not go over midnight")
        }
        guard let names = Self.channels(channels) else {
            throw fault(
                "there is no channel \(QuotedWord(channels))",
                hint: "it may be V, A, A2, AA, AA/V, B or NONE")
        }
        (self.number, self.line, self.channels) = (number, line, names)
        reel = head.joined(separator: " ")
        (source, record) = (times[0]..<times[1], times[2]..<times[3])
    }

    private static func wipe(_ kind: String) -> Transition.Kind? {
        guard kind.hasPrefix("W"), let number = Int(kind.dropFirst()) else { return nil }
        return wipes[number]
    }

    private static func channels(_ text: String) -> [String]? {
        switch text {
        case "NONE": return []
        case "B": return ["V", "A1"]
        default: break
        }
        var names: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            switch part {
            case "V", "V1": names.append("V")
            case "A", "A1": names.append("A1")
            case "AA": names += ["A1", "A2"]
            case let part where "VA".contains(part.prefix(1)) && (Int(part.dropFirst()) ?? 0) > 0:
                names.append(String(part))
            default: return nil
            }
        }
        return names
    }

    /// Takes an item of what the event plays, for as long as it is recorded.
    ///
    /// - Throws: Why it cannot be exported.
    func item(_ file: String, _ clock: EDLClock) throws(BatchFault) -> CutTrack.Item {
        guard !isBlack else {
            return item(.empty(clock.time(record.count)))
        }
        var speed: Ratio?
        if let stated = self.speed {
            let nominal = clock.rate.doubleValue.rounded()
            guard let ratio = Ratio(nearest: stated.perSecond / nominal), ratio.numerator > 0,
                Composition.permits(ratio)
            else {
                throw fault(
                    "plays at \(stated.perSecond) pictures a second, but it may be \(nominal / 100) to \(nominal * 100)",
                    line: stated.line,
                    hint: "render it into a clip: it stands still or runs backwards")
            }
            speed = ratio
        } else if source.count != record.count {
            throw fault(
                "takes \(source.count) frames of its source, but records \(record.count)",
                hint: "state its speed in a line M2")
        }
        let start = clock.time(source.lowerBound)
        let part = TimeRange(start: start, duration: clock.time(record.count).taken(at: speed))
        var segment = Composition.Segment(source: file, range: part, speed: speed)
        segment.timecodeRate = clock.rate
        return item(segment)
    }

    private func item(_ segment: Composition.Segment) -> CutTrack.Item {
        CutTrack.Item(segment: segment, name: "event \(number)", line: line)
    }

    func fault(_ reason: String, line: Int? = nil, hint: String? = nil) -> BatchFault {
        BatchFault(line: line ?? self.line, reason: "event \(number): \(reason)", hint: hint)
    }
}
