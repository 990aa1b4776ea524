internal import Synchronization

/// A flag that, once set, stops every loop and every blocking read that polls it.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    public init() {}

    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    public func cancel() {
        flag.store(true, ordering: .relaxed)
    }
}
