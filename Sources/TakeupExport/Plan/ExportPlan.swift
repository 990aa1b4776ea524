public import TakeupTimeline

/// Every decision of an export and its reason, made before any work.
public struct ExportPlan: Sendable, Equatable {
    /// How long the output lasts.
    public var duration: MediaTime
    public var decisions: [Decision]
    public var warnings: [ExportWarning]
}

extension ExportPlan: CustomStringConvertible {
    /// A line a decision: subject, choice, reason.
    public var description: String {
        decisions.map { "\($0.subject): \($0.choice) (\($0.reason))" }.joined(separator: "\n")
    }
}
