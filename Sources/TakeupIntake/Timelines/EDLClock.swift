internal import TakeupModel
internal import TakeupTimeline

/// Counts the frames of an edit decision list.
struct EDLClock {
    let rate: Ratio
    /// Whether numbers are dropped where a time does not say it itself, by a semicolon.
    let dropsNumbers: Bool

    /// Finds the frame rate, which the form itself does not hold.
    ///
    /// The file's name says it (`story.25fps.edl`), a comment (`* FRAME RATE: 25`), or dropped numbers, which are
    /// 29.97 frames a second alone.
    ///
    /// - Parameters:
    ///   - lines: All lines.
    ///   - name: The file's name.
    /// - Throws: When nothing says it, or two things say different rates.
    init(_ lines: [Substring], name: String) throws(BatchFault) {
        var modes: [(drops: Bool, line: Int)] = []
        var rates = Self.rate(inName: name).map { [(rate: $0, line: Int?.none)] } ?? []
        var hasSemicolons = false
        for (index, line) in lines.enumerated() {
            let text = line.drop { $0 == "*" || $0.isWhitespace }.uppercased()
            if text.hasPrefix("FCM:") {
                let drops = !text.contains("NON")
                if let first = modes.first, first.drops != drops {
                    throw BatchFault(
                        line: index + 1, field: "FCM",
                        reason:
                            "drop and non-drop frames are mixed: line \(first.line) says the other",
                        hint: "write the list in one frame code mode")
                }
                modes.append((drops, index + 1))
            } else if text.hasPrefix("FRAME RATE:") {
                let words = text.dropFirst("FRAME RATE:".count).split(
                    whereSeparator: \.isWhitespace)
                guard let rate = words.first.flatMap({ FrameRate(String($0)) }) else {
                    throw BatchFault(
                        line: index + 1, field: "FRAME RATE",
                        reason: "needs a rate such as 25 or 23.976")
                }
                rates.append((rate, index + 1))
            } else if line.first?.isNumber == true, line.contains(";") {
                hasSemicolons = true
            }
        }
        let drops = modes.first?.drops ?? false
        if rates.isEmpty, drops || hasSemicolons, let rate = FrameRate(29.97) {
            rates = [(rate, nil)]
        }
        guard let rate = rates.first?.rate.ratio else {
            throw BatchFault(
                line: nil, reason: "an edit decision list does not say its frame rate",
                hint:
                    "write a line '* FRAME RATE: 25' into it, or let its name end in .25fps\(TimelineFile.edlEnding)"
            )
        }
        if let other = rates.first(where: { $0.rate.ratio != rate }) {
            throw BatchFault(
                line: other.line, field: "FRAME RATE",
                reason: "is \(other.rate.ratio) here, but \(rate) elsewhere")
        }
        let base = rate.doubleValue.rounded()
        guard !(drops || hasSemicolons) || rate.denominator == 1001 && [30, 60].contains(base)
        else {
            throw BatchFault(
                line: modes.first?.line, field: "FCM",
                reason:
                    "frames are dropped at 29.97 and 59.94 frames a second alone, not at \(rate)")
        }
        guard (1...240).contains(base) else {
            throw BatchFault(
                line: nil, field: "FRAME RATE", reason: "may be 1 to 240, but is \(rate)")
        }
        (self.rate, dropsNumbers) = (rate, drops)
    }

    /// Rates that a name can say; another number in front of `fps` is a part of the name.
    private static let known = [
        "23.976", "23.98", "24", "25", "29.97", "30", "47.952", "48", "50", "59.94", "60", "100",
        "119.88", "120",
    ]

    private static func rate(inName name: String) -> FrameRate? {
        let stem = name.lowercased().dropLast(TimelineFile.edlEnding.count)
        guard stem.hasSuffix("fps") else { return nil }
        let number = String(
            stem.dropLast(3).reversed().prefix { $0.isNumber || $0 == "." }.reversed())
        let parts = number.split(separator: ".")
        let ends = [parts.suffix(2), parts.suffix(1)].map { $0.joined(separator: ".") }
        return ends.first(where: known.contains).flatMap { FrameRate($0) }
    }

    /// The frame that a time names; nil for what is none, also for a number that is dropped.
    func frame(_ text: Substring) -> Int? {
        var text = String(text.map { $0 == "," ? ";" : $0 })
        if dropsNumbers, let last = text.lastIndex(of: ":") {
            text.replaceSubrange(last...last, with: ";")
        }
        guard text.count == 11, let timecode = Timecode(text, rate: rate) else { return nil }
        let same = timecode.description.map { $0 == ";" ? ":" : $0 }
        return same == text.map { ";.".contains($0) ? ":" : $0 } ? timecode.count : nil
    }

    func time(_ frames: Int) -> MediaTime { MediaTime(seconds: Int64(frames)).shown(at: rate) }
}
