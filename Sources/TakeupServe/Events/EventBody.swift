internal import Foundation
internal import TakeupHTTP
internal import TakeupLanes

/// The body of a stream of events: what a feed tells, and a beat where it tells nothing.
final class EventBody: BodySource {
    /// Seconds between two looks at the feed.
    private static let pause = 0.1
    /// Seconds between two looks at whether the client may still follow.
    private static let admissionSeconds = 1.0

    /// Tells what has happened since the last time.
    struct Feed: Sendable {
        /// - Returns: Text, perhaps empty; nil at the end.
        let next: @Sendable () -> String?
        let close: @Sendable () -> Void
    }

    private struct State {
        var waiting: [UInt8]
        var isAtEnd = false
        var beatAt: Double
        var admittedAt: Double
    }

    private let feed: Feed
    private let now: @Sendable () -> Double
    /// Whether the server stops: it waits for other bodies, but not for one without an end.
    private let isEnding: @Sendable () -> Bool
    /// Whether the client's token still counts.
    private let isAdmitted: @Sendable () -> Bool
    private let state: Locked<State>

    init(
        _ feed: Feed, now: @escaping @Sendable () -> Double,
        isEnding: @escaping @Sendable () -> Bool = { false },
        isAdmitted: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.feed, self.now, self.isEnding, self.isAdmitted) = (feed, now, isEnding, isAdmitted)
        let time = now()
        state = Locked(
            State(
                waiting: Array(EventText.retry.utf8), beatAt: time + EventText.beatSeconds,
                admittedAt: time))
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
    ) throws -> Int {
        while true {
            if let count = state.withLock({ Self.take(&$0, into: buffer) }) { return count }
            // A client that has gone reads nothing more; one of a server that stops comes back.
            if isAbandoned() || isEnding() { return 0 }
            let time = now()
            guard mayFollow(time) else { return 0 }
            let text = feed.next()
            let isIdle = state.withLock { state in
                guard let text else {
                    state.isAtEnd = true
                    return false
                }
                if !text.isEmpty {
                    state.waiting += text.utf8
                } else if time >= state.beatAt {
                    state.waiting += EventText.beat.utf8
                } else {
                    return true
                }
                state.beatAt = time + EventText.beatSeconds
                return false
            }
            if isIdle { Thread.sleep(forTimeInterval: Self.pause) }
        }
    }

    private func mayFollow(_ time: Double) -> Bool {
        let isDue = state.withLock { state in
            guard time >= state.admittedAt + Self.admissionSeconds else { return false }
            state.admittedAt = time
            return true
        }
        return !isDue || isAdmitted()
    }

    /// - Returns: nil while there is nothing to give.
    private static func take(
        _ state: inout State, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard !state.waiting.isEmpty else { return state.isAtEnd ? 0 : nil }
        let count = min(buffer.count, state.waiting.count)
        buffer.copyBytes(from: state.waiting.prefix(count))
        state.waiting.removeFirst(count)
        return count
    }

    func close() { feed.close() }
}
