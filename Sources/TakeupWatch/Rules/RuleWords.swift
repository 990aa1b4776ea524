/// What the reading of rules leaves to those who know it: how people write sizes, and how they misspell.
public struct RuleWords: Sendable {
    /// Bytes of a text such as `10MB`; nil when it is no size.
    public var bytes: @Sendable (_ text: String) -> Int64?
    /// The candidate that a misspelled word was probably meant to be; nil when none is near.
    public var nearest: @Sendable (_ word: String, _ candidates: [String]) -> String?

    /// Without anything given, sizes are plain numbers and no misspelling is guessed at.
    public init(
        bytes: @escaping @Sendable (String) -> Int64? = { _ in nil },
        nearest: @escaping @Sendable (String, [String]) -> String? = { _, _ in nil }
    ) {
        (self.bytes, self.nearest) = (bytes, nearest)
    }
}

extension CodingUserInfoKey {
    /// Where a decoder of rules finds its `RuleWords`, inside of a larger configuration too.
    public static let ruleWords = CodingUserInfoKey(rawValue: "takeup.ruleWords")
}
