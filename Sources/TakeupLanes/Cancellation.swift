internal import Synchronization

/// A flag that, once set, stops every loop and every blocking read that polls it.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let handlers = Locked<[@Sendable () -> Void]>([])

    public init() {}

    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets the flag and runs the handlers, which wake threads that wait without polling the flag.
    public func cancel() {
        flag.store(true, ordering: .relaxed)
        let waiting = handlers.withLock { handlers in
            defer { handlers = [] }
            return handlers
        }
        for handler in waiting { handler() }
    }

    /// Registers a handler that runs once: when the flag is set, or at once if it is already set.
    ///
    /// - Parameter handler: Must return soon; it runs on the lane or task that cancels.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        handlers.withLock { $0.append(handler) }
        guard isCancelled else { return }
        cancel()
    }
}
