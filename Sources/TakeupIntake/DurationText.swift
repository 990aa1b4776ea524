/// How long something is kept, as people write it.
public struct DurationText: Sendable, Equatable {
    /// A hundred years; nothing is kept longer that has an end.
    public static let longest = 36_500.0 * 86_400

    /// More than 0, at most `longest`; nil for ever.
    public let seconds: Double?

    /// Reads `30d`, `12h`, `90m`, `45s`, `2w`, `1.5h`, plain seconds, `never` or `none`.
    ///
    /// - Returns: nil for anything else, for zero and for more than a hundred years.
    public init?(parsing text: some StringProtocol) {
        let word = text.lowercased()
        if word == "never" || word == "none" {
            seconds = nil
            return
        }
        let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard digits.utf8.count <= 20, (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty }), let number = Double(String(digits)),
            let factor = Self.units[String(word.dropFirst(digits.count))]
        else { return nil }
        let seconds = number * factor
        guard seconds > 0, seconds <= Self.longest else { return nil }
        self.seconds = seconds
    }

    private static let units: [String: Double] = [
        "": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
    ]
}
