internal import Foundation

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
        /// What the rule says, and the defaults where it says nothing.
        public let result: WatchRule.Result
        /// The rules before it.
        public let misses: [Miss]
    }

    public static let mostRules = 1000
    /// Of their JSON.
    public static let mostBytes = 1 << 20

    public let rules: [WatchRule]
    public let defaults: WatchRule.Result

    /// - Parameters:
    ///   - rules: At most 1,000; an earlier one goes before a later one.
    ///   - defaults: What holds where a rule says nothing, and for files of which no rule holds.
    /// - Throws: `WatchError.unreadable` for too many.
    public init(_ rules: [WatchRule], defaults: WatchRule.Result) throws(WatchError) {
        guard rules.count <= Self.mostRules else {
            throw .unreadable(setting: "rules", reason: "more than \(Self.mostRules)")
        }
        (self.rules, self.defaults) = (rules, defaults)
    }

    /// Reads a list of rules.
    ///
    /// - Parameters:
    ///   - json: The UTF-8 bytes of an array of objects, at most `mostBytes`.
    ///   - defaults: As in the other initialiser.
    ///   - words: How sizes and misspelled keys are understood.
    /// - Throws: `WatchError.unreadable`, which names the rule and the key.
    public init(
        json: [UInt8], defaults: WatchRule.Result, words: RuleWords = RuleWords()
    ) throws(WatchError) {
        guard json.count <= Self.mostBytes else {
            throw .unreadable(setting: "rules", reason: "more than \(Self.mostBytes) bytes")
        }
        let decoder = JSONDecoder()
        if let key = CodingUserInfoKey.ruleWords { decoder.userInfo[key] = words }
        let rules: [WatchRule]
        do {
            rules = try decoder.decode([WatchRule].self, from: Data(json))
        } catch let error as WatchError {
            throw error
        } catch {
            throw .unreadable(setting: "rules", reason: "they are no JSON list of objects")
        }
        try self.init(rules, defaults: defaults)
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
                return Decision(rule: index + 1, result: merged(rule.result), misses: misses)
            }
            misses.append(Decision.Miss(rule: index + 1, reason: reason))
        }
        return Decision(rule: nil, result: defaults, misses: misses)
    }

    /// A rule that gives work to do takes back a default that skips.
    private func merged(_ result: WatchRule.Result) -> WatchRule.Result {
        WatchRule.Result(
            preset: result.preset ?? defaults.preset,
            priority: result.priority ?? defaults.priority,
            output: result.output ?? defaults.output,
            skip: result.skip ?? (result.isWork ? nil : defaults.skip),
            keepIfSmaller: result.keepIfSmaller ?? defaults.keepIfSmaller)
    }
}
