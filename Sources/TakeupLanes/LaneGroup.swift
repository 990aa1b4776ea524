internal import Dispatch

/// Runs several pieces of blocking work, each on its own thread, and waits for all of them.
public final class LaneGroup: Sendable {
    private let group = DispatchGroup()

    public init() {}

    /// Starts work on a new thread; debuggers show the first 15 bytes of the label as its name.
    public func start(_ label: String, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        LaneThread.start(label, body, then: { [group] in group.leave() })
    }

    /// Blocks until all the work has ended.
    public func wait() {
        group.wait()
    }
}
