internal import Dispatch

/// Several pieces of blocking work, each on a thread of its own, that are waited for together.
public final class LaneGroup: Sendable {
    private let group = DispatchGroup()

    public init() {}

    /// Starts work on a new thread, which the first 15 bytes of the label name in debuggers.
    public func start(_ label: String, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        LaneThread.start(label, body, then: { [group] in group.leave() })
    }

    /// Blocks until all the work has ended.
    public func wait() {
        group.wait()
    }
}
