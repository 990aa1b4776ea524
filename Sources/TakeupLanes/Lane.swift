internal import Dispatch

/// One serial Dispatch queue, on which work that blocks runs away from the task pool.
///
/// Each lane has a thread of its own while it works; lanes never wait for one another's threads.
public final class Lane: SerialExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: Names the thread in debuggers and crash reports.
    public init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { unowned.runSynchronously(on: executor) }
    }

    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs blocking work here and waits for it without holding a thread of the task pool.
    public func run<Value>(
        _ body: @escaping @Sendable () throws -> sending Value
    ) async throws -> sending Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Starts blocking work here and returns at once.
    public func start(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }
}
