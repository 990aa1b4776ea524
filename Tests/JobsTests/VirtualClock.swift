import TakeupLanes

/// A clock that stands still until it is set.
final class VirtualClock: Sendable {
    private let seconds: Locked<Double>

    init(_ seconds: Double = 1_000_000) {
        self.seconds = Locked(seconds)
    }

    var now: Double {
        get { seconds.withLock { $0 } }
        set { seconds.withLock { $0 = newValue } }
    }
}
