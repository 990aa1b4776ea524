internal import Synchronization

/// Counts the sessions of a library that fetch for a live reader; prefetches pause while the count
/// is not zero.
final class LiveTraffic: Sendable {
    private let sessions = Atomic<Int>(0)

    var isLive: Bool { sessions.load(ordering: .sequentiallyConsistent) > 0 }

    func begin() { sessions.add(1, ordering: .sequentiallyConsistent) }

    func end() { sessions.subtract(1, ordering: .sequentiallyConsistent) }
}
