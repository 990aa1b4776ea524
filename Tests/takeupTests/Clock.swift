import TakeupLanes

/// A clock that a test moves.
final class Clock: Sendable {
    private let seconds = Locked(0.0)

    func now() -> Double { seconds.withLock { $0 } }

    func advance(_ step: Double) {
        seconds.withLock { $0 += step }
    }
}
