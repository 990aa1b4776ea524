internal import Synchronization

/// How many sessions of a library fetch for somebody who reads or waits now; while any does, prefetches stand still.
final class LiveTraffic: Sendable {
    private let sessions = Atomic<Int>(0)

    var isLive: Bool { sessions.load(ordering: .sequentiallyConsistent) > 0 }

    func begin() { sessions.add(1, ordering: .sequentiallyConsistent) }

    func end() { sessions.subtract(1, ordering: .sequentiallyConsistent) }
}
