internal import TakeupJobs
internal import TakeupLanes

/// The leases that a worker holds now.
final class LeaseBook: Sendable {
    private struct State {
        var holds: [Int64: LeaseHold] = [:]
        var isStopping = false
    }

    private let state = Locked(State())

    func add(_ hold: LeaseHold) {
        let isStopping = state.withLock { state in
            state.holds[hold.lease.token] = hold
            return state.isStopping
        }
        if isStopping { hold.ask(.workerStops) }
    }

    func remove(_ hold: LeaseHold) {
        state.withLock { $0.holds[hold.lease.token] = nil }
    }

    var all: [LeaseHold] { state.withLock { Array($0.holds.values) } }
    var count: Int { state.withLock { $0.holds.count } }

    /// Asks every holder to stop, and those that come later too.
    func stopAll() {
        let holds = state.withLock { state in
            state.isStopping = true
            return Array(state.holds.values)
        }
        for hold in holds { hold.ask(.workerStops) }
    }
}
