internal import Foundation

/// Runs blocking work in order, away from the task pool.
///
/// Each lane has its own thread while it works, so lanes never wait for each other's threads.
public final class Lane: SerialExecutor {
    private let label: String
    private let state = Locked(State())

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isWorking = false
        /// The working thread; nil when idle.
        var thread: pthread_t?
    }

    /// - Parameter label: Name of the thread in debuggers, which show its first 15 bytes.
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

    /// Runs blocking work on the lane and awaits its result without holding a thread of the task
    /// pool.
    public func run<Value>(
        _ body: @escaping @Sendable () throws -> sending Value
    ) async throws -> sending Value {
        // Thread Sanitizer sees no order if a continuation is resumed before its task waits; a lock
        // on both sides shows the order.
        defer { state.withLock { _ in } }
        return try await withCheckedThrowingContinuation { continuation in
            start { [state] in
                let result = Result { try body() }
                state.withLock { _ in }
                continuation.resume(with: consume result)
            }
        }
    }

    /// Starts blocking work on the lane and returns at once.
    public func start(_ body: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            state.waiting.append(body)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if isIdle { LaneThread.start(label) { [self] in while let body = next() { body() } } }
    }

    /// Waits until all earlier work is done; returns at once if called on the lane itself.
    public func drain() {
        let done = DispatchSemaphore(value: 0)
        let isBusy = state.withLock { state in
            guard state.isWorking, state.thread != pthread_self() else { return false }
            state.waiting.append { done.signal() }
            return true
        }
        if isBusy { done.wait() }
    }

    /// - Returns: nil if all work is done; the thread then ends.
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
