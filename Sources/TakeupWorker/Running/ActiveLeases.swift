internal import TakeupJobs
internal import TakeupLanes

/// The leases that a worker holds now.
final class ActiveLeases: Sendable {
    private struct State {
        var holds: [Int64: LeaseHold] = [:]
        var isStopping = false
        var changes = 0
    }

    private let state = Locked(State())

    func add(_ hold: LeaseHold) {
        let isStopping = state.withLock { state in
            state.holds[hold.lease.token] = hold
            state.changes += 1
            return state.isStopping
        }
        if isStopping { hold.ask(.workerStops) }
    }

    func remove(_ hold: LeaseHold) {
        state.withLock { state in
            guard state.holds[hold.lease.token] === hold else { return }
            state.holds[hold.lease.token] = nil
            state.changes += 1
        }
    }

    var all: [LeaseHold] { state.withLock { Array($0.holds.values) } }
    var count: Int { state.withLock { $0.holds.count } }
    /// How often a lease came or went.
    var changes: Int { state.withLock { $0.changes } }

    /// Asks every holder to stop, and those that come later too.
    func stopAll() {
        let holds = state.withLock { state in
            state.isStopping = true
            return Array(state.holds.values)
        }
        for hold in holds { hold.ask(.workerStops) }
    }

    /// Asks those alone that hold one now.
    func stopPresent() {
        for hold in all { hold.ask(.workerStops) }
    }
}
