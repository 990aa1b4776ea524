internal import TakeupLanes
package import TakeupModel

/// Tells every subscriber the states of one session, in order, and the last one even to latecomers.
package final class StateBroadcast: Sendable {
    private struct Subscriber {
        let continuation: AsyncStream<ExportState>.Continuation
        let interval: Duration
        var last: ContinuousClock.Instant?
        var phase: ExportPhase?
    }

    private struct State {
        var current = ExportState.pending
        var isFinished = false
        var subscribers: [Int: Subscriber] = [:]
        var nextID = 0
    }

    private let state = Locked(State())

    package init() {}

    package func send(_ next: ExportState) {
        let now = ContinuousClock.now
        let due = state.withLock { state -> [AsyncStream<ExportState>.Continuation] in
            state.current = next
            var due: [AsyncStream<ExportState>.Continuation] = []
            for id in state.subscribers.keys {
                guard var subscriber = state.subscribers[id] else { continue }
                let phase = next.phase
                let isDue = subscriber.last.map { now - $0 >= subscriber.interval } ?? true
                guard isDue || phase != subscriber.phase else { continue }
                subscriber.last = now
                subscriber.phase = phase
                state.subscribers[id] = subscriber
                due.append(subscriber.continuation)
            }
            return due
        }
        for continuation in due { continuation.yield(next) }
    }

    package func finish(_ last: ExportState) {
        let all = state.withLock { state -> [AsyncStream<ExportState>.Continuation] in
            state.current = last
            state.isFinished = true
            let all = state.subscribers.values.map(\.continuation)
            state.subscribers = [:]
            return all
        }
        for continuation in all {
            continuation.yield(last)
            continuation.finish()
        }
    }

    package func subscribe(_ interval: Duration) -> AsyncStream<ExportState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ExportState.self, bufferingPolicy: .bufferingNewest(64))
        let (id, current, isFinished) = state.withLock { state -> (Int, ExportState, Bool) in
            let id = state.nextID
            state.nextID += 1
            if !state.isFinished {
                state.subscribers[id] = Subscriber(continuation: continuation, interval: interval)
            }
            return (id, state.current, state.isFinished)
        }
        continuation.yield(current)
        if isFinished { continuation.finish() }
        // Holding the state is no cycle that lasts: the last state and the stream's end both break it.
        continuation.onTermination = { [state] _ in
            state.withLock { $0.subscribers[id] = nil }
        }
        return stream
    }
}

extension ExportState {
    fileprivate var phase: ExportPhase? {
        if case .exporting(let progress) = self { progress.phase } else { nil }
    }
}
