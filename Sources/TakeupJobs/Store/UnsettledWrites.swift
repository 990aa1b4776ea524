internal import TakeupLanes
internal import TakeupSQL

/// The tokens of claims and of ends whose commit was not confirmed: the next call finds out what it did.
final class UnsettledWrites: Sendable {
    private struct State {
        var claims: [WorkerID: Set<Int64>] = [:]
        var ends: Set<Int64> = []
    }

    private let state = Locked(State())

    /// Takes out a claim of a worker that may have got a job: no two lanes ask after the same one.
    func takeClaim(of worker: WorkerID) -> Int64? {
        state.withLock { $0.claims[worker]?.popFirst() }
    }

    func noteClaim(_ token: Int64, of worker: WorkerID) {
        _ = state.withLock { $0.claims[worker, default: []].insert(token) }
    }

    func isEnd(_ token: Int64) -> Bool { state.withLock { $0.ends.contains(token) } }

    func noteEnd(_ token: Int64) {
        _ = state.withLock { $0.ends.insert(token) }
    }

    func settleEnd(_ token: Int64) {
        _ = state.withLock { $0.ends.remove(token) }
    }
}
