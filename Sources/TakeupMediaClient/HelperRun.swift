public import TakeupProcess

/// One task in a helper, over.
public struct HelperRun: Sendable, Equatable {
    public var outcome: HelperOutcome
    /// What the media libraries said, up to 64 KiB: the beginning and the end.
    public var log: String
    /// How well the helper was sealed.
    public var sandbox: Sandbox
}
