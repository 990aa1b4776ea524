internal import Foundation

/// A row of blocking work, done one piece after the other away from the task pool.
///
/// Each lane has a thread of its own while it works; lanes never wait for one another's threads.
public final class Lane: SerialExecutor {
    private let label: String
    private let state = Locked(State())

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isWorking = false
        /// The one that works now.
        var thread: pthread_t?
    }

    /// - Parameter label: Names the thread in debuggers, by its first 15 bytes.
    public init(_ label: String) {
        self.label = label
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        start { unowned.runSynchronously(on: executor) }
    }

    public func checkIsolated() {
        let thread = state.withLock { $0.thread }
        precondition(thread == pthread_self(), "this needs to run on its lane")
    }

    /// Runs blocking work here and waits for it without holding a thread of the task pool.
    public func run<Value>(
        _ body: @escaping @Sendable () throws -> sending Value
    ) async throws -> sending Value {
        // Thread Sanitizer sees no order where a continuation is resumed before its task waits: a lock on both sides shows it.
        defer { state.withLock { _ in } }
        return try await withCheckedThrowingContinuation { continuation in
            start { [state] in
                let result = Result { try body() }
                state.withLock { _ in }
                continuation.resume(with: consume result)
            }
        }
    }

    /// Starts blocking work here and returns at once.
    public func start(_ body: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            state.waiting.append(body)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if isIdle { LaneThread.start(label) { [self] in while let body = next() { body() } } }
    }

    /// Waits until all that was started before is done; on the lane itself it returns at once.
    public func drain() {
        let done = DispatchSemaphore(value: 0)
        let isBusy = state.withLock { state in
            guard state.isWorking, state.thread != pthread_self() else { return false }
            state.waiting.append { done.signal() }
            return true
        }
        if isBusy { done.wait() }
    }

    /// - Returns: nil when all is done; the thread then ends.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                (state.isWorking, state.thread) = (false, nil)
                return nil
            }
            state.thread = pthread_self()
            return state.waiting.removeFirst()
        }
    }
}
