public import TakeupTimeline

/// Text that is drawn on the pictures for some time.
public struct Title: Sendable, Hashable, Codable {
    /// The longest text, in characters.
    public static let longest = 10_000

    /// Lines are separated by line feeds; lines that are too long are broken.
    public var text: String
    public var style: TextStyle
    /// On the timeline.
    public var start: MediaTime
    /// How long it is seen; nil for as long as the timeline lasts.
    public var duration: MediaTime?
    /// How long it comes and goes at its ends, within its duration.
    public var fadeIn: MediaTime
    public var fadeOut: MediaTime
    /// 0 for what is not seen, to 1, by the timeline's times; nil for 1.
    public var opacity: Ramped<Double>?

    public init(
        _ text: String, style: TextStyle, start: MediaTime = .zero, duration: MediaTime? = nil,
        fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero, opacity: Ramped<Double>? = nil
    ) {
        (self.text, self.style, self.start, self.duration) = (text, style, start, duration)
        (self.fadeIn, self.fadeOut, self.opacity) = (fadeIn, fadeOut, opacity)
    }

    /// Returns what is wrong, or nil.
    var fault: String? {
        if !text.contains(where: { !$0.isWhitespace }) { return "has no text" }
        if text.count > Self.longest {
            return "has \(text.count) characters, but at most \(Self.longest) are possible"
        }
        if text.unicodeScalars.contains(where: { Self.isControl($0) }) {
            return "has a control character in its text"
        }
        if start < .zero { return "begins before 0" }
        if let duration, duration <= .zero { return "lasts no time" }
        if fadeIn < .zero || fadeOut < .zero { return "fades for less than no time" }
        if let duration, fadeIn + fadeOut > duration {
            return "lasts \(duration), but its fades \(fadeIn + fadeOut)"
        }
        return style.fault
            ?? opacity?.fault("an opacity") {
                (0...1).contains($0) ? nil : "of \($0), but it may be 0 to 1"
            }
    }

    /// Whether a character can be no part of a text: line feeds and tabs can.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        let number = scalar.value
        return number < 0x20 && ![0x09, 0x0A, 0x0D].contains(number) || number == 0x7F
    }

    /// A text that tells it apart from every other title, for keys.
    func key(font number: Int) -> String {
        func text(_ time: MediaTime) -> String { "\(time.value)/\(time.timescale)" }
        let times = [text(start), duration.map(text) ?? "", text(fadeIn), text(fadeOut)]
        return "title,\(times.joined(separator: ",")),\(style.key(font: number)),"
            + "\(opacity?.key ?? ""),\(self.text)"
    }
}

extension Title: CustomStringConvertible {
    /// The first words of its text, when it is seen, and how.
    public var description: String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let words = line.count > 40 ? line.prefix(39) + "…" : line[...]
        let length = duration.map { " for \($0)" } ?? " on"
        return "\"\(words)\" from \(start)\(length), \(style)"
    }
}
