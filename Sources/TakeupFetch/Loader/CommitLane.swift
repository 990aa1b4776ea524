internal import Dispatch
internal import TakeupLanes

/// Commits written bytes to disk while more bytes arrive, one commit at a time.
final class CommitLane: Sendable {
    private let lane = Lane("takeup.fetch.commit")
    private let floor: SpaceFloor
    let turn = DispatchSemaphore(value: 1)
    private let failure = Locked<FetchError?>(nil)

    init(_ floor: SpaceFloor) {
        self.floor = floor
    }

    /// Begins a commit if one is due; first waits for the previous commit, to limit the bytes at
    /// risk.
    ///
    /// - Parameters:
    ///   - file: The file to commit.
    ///   - mayEvict: Whether other entries may be evicted for these bytes.
    /// - Throws: The error of an earlier commit; `.storage` with `ENOSPC` if the free space is
    ///   below its minimum.
    func commitIfDue(_ file: SourceFile, mayEvict: Bool) throws(FetchError) {
        try throwFailure()
        guard let generation = file.beginCommit() else { return }
        // The bytes written so far stay and are committed at the end.
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

    /// Waits for the last commit.
    ///
    /// - Throws: The error of an earlier commit.
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
