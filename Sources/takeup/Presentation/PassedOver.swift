import TakeupIntake

/// What a folder held besides its jobs, by reason.
struct PassedOver: Sendable, Equatable {
    /// Names that one reason tells.
    private static let mostNames = 5

    private let skipped: [BatchList.Skipped]

    init(_ skipped: [BatchList.Skipped]) {
        self.skipped = skipped
    }

    /// Says it; what one would look for among the jobs as a warning.
    func tell(_ talk: Console, isVerbose: Bool) {
        for (isExpected, line) in lines(isVerbose: isVerbose) {
            isExpected ? talk.note(line) : talk.warning(line)
        }
    }

    /// A line a reason, or with `isVerbose` a line a name; not escaped.
    func lines(isVerbose: Bool) -> [(isExpected: Bool, text: String)] {
        guard !isVerbose else {
            return skipped.map { ($0.isExpected, "passed over \($0.path): \($0.reason)") }
        }
        let groups = Dictionary(grouping: skipped, by: \.reason).values.sorted {
            ($0[0].isExpected ? 1 : 0, $0[0].reason) < ($1[0].isExpected ? 1 : 0, $1[0].reason)
        }
        return groups.map { group in
            let isExpected = group[0].isExpected
            let text = "passed over \(group.count) (\(group[0].reason))"
            return (isExpected, isExpected ? text : "\(text): \(names(group))")
        }
    }

    private func names(_ group: [BatchList.Skipped]) -> String {
        let more = group.count - Self.mostNames
        return group.prefix(Self.mostNames).map(\.path).joined(separator: ", ")
            + (more > 0 ? " and \(more) more, which --verbose names" : "")
    }
}
