internal import TakeupLanes

/// Distributes events to all subscribers.
final class EventHub: Sendable {
    /// Number of unread events that are kept for one subscriber.
    private static let mostWaiting = 256

    private struct State {
        var subscribers: [Int: AsyncStream<FetchEvent>.Continuation] = [:]
        var next = 0
        var isFinished = false
    }

    private let state = Locked(State())

    func subscribe() -> AsyncStream<FetchEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FetchEvent.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        let id: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.subscribers[state.next] = continuation
            return state.next
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.subscribers[id] = nil }
        }
        return stream
    }

    var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    func send(_ event: FetchEvent) {
        for subscriber in state.withLock({ Array($0.subscribers.values) }) {
            subscriber.yield(event)
        }
    }

    /// Sends the last event and ends all streams.
    func finish(_ event: FetchEvent) {
        let subscribers = state.withLock { state in
            defer { state.subscribers = [:] }
            state.isFinished = true
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers {
            subscriber.yield(event)
            subscriber.finish()
        }
    }
}
