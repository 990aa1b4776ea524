/// A list of rules of which the first that holds for a file decides.
public struct WatchRules: Sendable, Equatable {
    /// What is done with a file, and how that came about.
    public struct Decision: Sendable, Equatable {
        /// A rule that did not hold.
        public struct Miss: Sendable, Equatable {
            /// The rule's place in the list, from 1.
            public let rule: Int
            /// The first condition that did not hold, in words.
            public let reason: String
        }

        /// The place in the list of the rule that held, from 1; nil when none did.
        public let rule: Int?
        /// What the rule says; nothing when none held.
        public let result: WatchRule.Result
        /// The rules before it.
        public let misses: [Miss]
    }

    public static let mostRules = 1000

    public let rules: [WatchRule]

    /// - Parameter rules: At most 1,000; an earlier one goes before a later one.
    /// - Throws: `WatchError.unreadable` for too many.
    public init(_ rules: [WatchRule]) throws(WatchError) {
        guard rules.count <= Self.mostRules else {
            throw .unreadable(setting: "rules", reason: "more than \(Self.mostRules)")
        }
        self.rules = rules
    }

    /// Whether a file has to be looked into before the rules are asked.
    ///
    /// Without that a rule which would hold is passed over, and a later one may decide.
    public var needsMedia: Bool { rules.contains(where: \.needsMedia) }

    /// What is done with a file.
    public func decision(for facts: FileFacts) -> Decision {
        var misses: [Decision.Miss] = []
        for (index, rule) in rules.enumerated() {
            guard let reason = rule.obstacle(for: facts) else {
                return Decision(rule: index + 1, result: rule.result, misses: misses)
            }
            misses.append(Decision.Miss(rule: index + 1, reason: reason))
        }
        return Decision(rule: nil, result: WatchRule.Result(), misses: misses)
    }
}
