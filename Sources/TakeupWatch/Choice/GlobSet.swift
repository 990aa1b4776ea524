/// The characters between `[` and `]` in a pattern.
struct GlobSet: Sendable, Equatable {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var isNegated = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar) } != isNegated
    }

    /// Adds one of the sets that POSIX names, as in `[[:digit:]]`.
    ///
    /// - Returns: `false` when there is none of this name.
    mutating func add(named name: String) -> Bool {
        guard let ranges = Self.named[name] else { return false }
        self.ranges += ranges
        return true
    }

    private static let punctuation: [ClosedRange<Unicode.Scalar>] = [
        "!"..."/", ":"..."@", "["..."`", "{"..."~",
    ]
    private static let letters: [ClosedRange<Unicode.Scalar>] = ["a"..."z", "A"..."Z"]

    private static let named: [String: [ClosedRange<Unicode.Scalar>]] = [
        "alnum": letters + ["0"..."9"], "alpha": letters, "blank": [" "..." ", "\t"..."\t"],
        "cntrl": ["\0"..."\u{1f}", "\u{7f}"..."\u{7f}"], "digit": ["0"..."9"],
        "graph": ["!"..."~"], "lower": ["a"..."z"], "print": [" "..."~"], "punct": punctuation,
        "space": [" "..." ", "\t"..."\r"], "upper": ["A"..."Z"],
        "xdigit": ["0"..."9", "a"..."f", "A"..."F"],
    ]
}
