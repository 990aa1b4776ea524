internal import Dispatch

/// Several pieces of blocking work, each on a lane of its own, that are waited for together.
public final class LaneGroup {
    private let group = DispatchGroup()

    public init() {}

    /// Starts work on a new lane.
    public func start(_ label: String, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: label).async(group: group, execute: body)
    }

    /// Blocks until all the work has ended.
    public func wait() {
        group.wait()
    }
}
