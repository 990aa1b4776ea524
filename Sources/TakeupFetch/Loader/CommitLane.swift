internal import Dispatch
internal import TakeupLanes

/// Brings written bytes to the disk while more of them come, one commit at a time.
final class CommitLane: Sendable {
    private let lane = Lane("takeup.fetch.commit")
    private let floor: SpaceFloor
    let turn = DispatchSemaphore(value: 1)
    private let failure = Locked<FetchError?>(nil)

    init(_ floor: SpaceFloor) {
        self.floor = floor
    }

    /// Begins a commit when one is due; waits for the one before, so that little is ever at stake.
    ///
    /// - Parameters:
    ///   - file: Whose bytes.
    ///   - mayEvict: Whether others may go for them.
    /// - Throws: What an earlier one failed with; `.storage` with `ENOSPC` when less is free than shall be.
    func commitIfDue(_ file: SourceFile, mayEvict: Bool) throws(FetchError) {
        try throwFailure()
        guard let generation = file.beginCommit() else { return }
        // What was written until now stays, and is committed at the end.
        try floor.require(mayEvict: mayEvict)
        turn.wait()
        lane.start { [self] in
            do throws(FetchError) {
                try file.finishCommit(generation)
            } catch {
                failure.withLock { $0 = error }
            }
            turn.signal()
        }
    }

    /// Waits for the last one.
    ///
    /// - Throws: What it failed with.
    func wait() throws(FetchError) {
        turn.wait()
        turn.signal()
        try throwFailure()
    }

    private func throwFailure() throws(FetchError) {
        let error = failure.withLock { failure in
            defer { failure = nil }
            return failure
        }
        if let error { throw error }
    }
}
