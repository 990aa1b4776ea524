package import TakeupLanes
package import TakeupModel

/// What a daemon watches: one plan after the other, each until the next one comes.
package final class WatchSupervisor: Sendable {
    private struct State {
        var plan: WatchPlan
        /// Stops the current round; nil before the first round.
        var stop: Cancellation?
        /// Whether `plan` is still to be taken up.
        var isNew = true
        var isOver = false
        /// By folder; one that stays is never given up between two plans, one that goes not before its round is over.
        var locks: [String: WatchLock]
    }

    private let home: String
    private let state: Locked<State>

    /// - Throws: With 75 when another daemon watches one of the folders.
    package init(_ plan: WatchPlan, home: String) throws(Failure) {
        self.home = home
        state = Locked(State(plan: plan, locks: try Self.locks(plan, [:], home)))
    }

    /// The next plan, and what its round stops by; nil when there is none, or everything is over.
    ///
    /// Call it once the round before has stopped.
    package func next() -> (plan: WatchPlan, stop: Cancellation)? {
        state.withLock { state in
            guard state.isNew, !state.isOver else { return nil }
            let stop = Cancellation()
            (state.isNew, state.stop) = (false, stop)
            let folders = Set(state.plan.requests.map(\.folder))
            state.locks = state.locks.filter { folders.contains($0.key) }
            return (state.plan, stop)
        }
    }

    /// Has another plan take over.
    ///
    /// - Throws: With 75 when another daemon watches one of its folders; the plan stays as it was then.
    package func change(to plan: WatchPlan) throws(Failure) {
        let held = state.withLock { $0.locks }
        let locks = try Self.locks(plan, held, home)
        let stop = state.withLock { state in
            (state.plan, state.isNew) = (plan, true)
            state.locks.merge(locks) { $1 }
            return state.stop
        }
        stop?.cancel()
    }

    /// Ends the round that goes on, and all others.
    package func end() {
        let stop = state.withLock { state in
            state.isOver = true
            return state.stop
        }
        stop?.cancel()
    }

    private static func locks(
        _ plan: WatchPlan, _ held: [String: WatchLock], _ home: String
    ) throws(Failure) -> [String: WatchLock] {
        var locks: [String: WatchLock] = [:]
        for request in plan.requests {
            let folder = request.folder
            if let lock = held[folder] {
                locks[folder] = lock
            } else {
                locks[folder] = try WatchLock(
                    folder, home: home, acts: request.policy.acts)
            }
        }
        return locks
    }
}
