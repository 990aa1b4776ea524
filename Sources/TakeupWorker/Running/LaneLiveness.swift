internal import TakeupLanes

/// When each lane last gave a sign of life, for a watchdog.
final class LaneLiveness: Sendable {
    /// How long a job may take to end after it was asked to, in seconds.
    ///
    /// A stop is seen within one; the rest is for a disk that is slow to let go of a file.
    static let endingSeconds = 60.0

    private enum Sign {
        case none
        case looked(SuspendingClock.Instant)
        case asking
        case working(LeaseHold)
        case ended
    }

    private struct State {
        var lanes: [Sign] = []
        var beatAt: SuspendingClock.Instant
    }

    private let now: @Sendable () -> SuspendingClock.Instant
    private let state: Locked<State>

    init(now: @escaping @Sendable () -> SuspendingClock.Instant = { SuspendingClock.now }) {
        self.now = now
        state = Locked(State(beatAt: now()))
    }

    func begin(lanes: Int) {
        let time = now()
        state.withLock { state in
            state.lanes = Array(repeating: .none, count: lanes)
            state.beatAt = time
        }
    }

    /// Says that a lane has come around to the queue.
    func look(_ lane: Int) { note(lane, .looked(now())) }

    /// Says that a lane asks the queue for a job, which may wait long for a standby.
    func ask(_ lane: Int) { note(lane, .asking) }

    func work(_ lane: Int, _ hold: LeaseHold) { note(lane, .working(hold)) }

    func end(_ lane: Int) { note(lane, .ended) }

    /// Says that renewing leases was tried, however that ended.
    func beat() {
        let time = now()
        state.withLock { $0.beatAt = time }
    }

    /// How long ago renewing leases was last tried, in seconds; time in which the machine sleeps does not count.
    var secondsSinceBeat: Double {
        let time = now()
        return state.withLock { (time - $0.beatAt) / .seconds(1) }
    }

    private func note(_ lane: Int, _ sign: Sign) {
        state.withLock { state in
            guard state.lanes.indices.contains(lane) else { return }
            state.lanes[lane] = sign
        }
    }

    /// Whether every lane has come around to the queue once.
    var hasLooked: Bool {
        state.withLock { state in
            !state.lanes.isEmpty
                && state.lanes.allSatisfy { if case .none = $0 { false } else { true } }
        }
    }

    func isAlive(withinSeconds seconds: Double) -> Bool {
        let time = now()
        let (lanes, beatAt) = state.withLock { ($0.lanes, $0.beatAt) }
        let isRecent = { (instant: SuspendingClock.Instant) in
            (time - instant) / .seconds(1) <= seconds
        }
        return lanes.allSatisfy { lane in
            switch lane {
            case .none: false
            case .ended: true
            case .looked(let instant): isRecent(instant)
            case .asking: isRecent(beatAt)
            case .working(let hold):
                isRecent(beatAt)
                    && (hold.isAsking || (hold.secondsSinceStop ?? 0) <= Self.endingSeconds)
            }
        }
    }
}
