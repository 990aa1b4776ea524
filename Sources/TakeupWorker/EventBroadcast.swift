internal import TakeupJobs
internal import TakeupLanes

/// Tells every subscriber what happens, to all jobs or to one.
final class EventBroadcast: Sendable {
    /// Events that a slow subscriber may be behind; the oldest are dropped.
    private static let mostWaiting = 4096

    private struct Subscriber {
        let job: JobID?
        let continuation: AsyncStream<WorkerEvent>.Continuation
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var nextID = 0
        var isFinished = false
    }

    private let state = Locked(State())

    func send(_ event: WorkerEvent) {
        let due = state.withLock { state in
            state.subscribers.values
                .filter { $0.job == nil || $0.job == event.job }.map(\.continuation)
        }
        for continuation in due { continuation.yield(event) }
    }

    func subscribe(_ job: JobID?) -> AsyncStream<WorkerEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: WorkerEvent.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.subscribers[state.nextID] = Subscriber(job: job, continuation: continuation)
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [state] _ in
            state.withLock { $0.subscribers[id] = nil }
        }
        return stream
    }

    func finish() {
        let all = state.withLock { state in
            defer { state.subscribers = [:] }
            state.isFinished = true
            return state.subscribers.values.map(\.continuation)
        }
        for continuation in all { continuation.finish() }
    }
}
