internal import Foundation
internal import TakeupFiles
internal import TakeupLanes

/// Passes bytes through without the disk. Only `noteFileUse` may be called off the download's lane.
extension FetchSession {
    /// Records that a reader reads the data file directly.
    ///
    /// - Throws: The disk's error, if bytes no longer go into the file.
    func noteFileUse(by id: Int) throws(FetchError) {
        try state.withLock { (state) throws(FetchError) in
            if let cause = state.passing { throw cause }
            state.readers[id]?.usesFile = true
        }
    }

    /// Checks whether an object of at least this size may still be stored.
    ///
    /// - Throws: `FetchError.storage`; with `EFBIG` if the object exceeds the limit.
    func requireKept(_ bytes: Int64) throws(FetchError) {
        guard file.passingCause == nil else { return }
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
        guard let most = settings.keptBytes, bytes > most else { return }
        throw .storage(path: store.path, errno: EFBIG)
    }

    /// Checks, before the first byte is stored, whether the disk has room for an object that players read: what they are told
    /// of it is then true, and the disk is not filled in vain.
    ///
    /// - Parameter length: The object's length; nil if unknown.
    /// - Throws: `FetchError.storage` with `ENOSPC`.
    func requireRoom(for length: Int64?) throws(FetchError) {
        guard settings.kind == .proxy, file.passingCause == nil, let length else { return }
        try SpaceFloor(store, settings.storeLimits)
            .requireRoom(for: length - file.status.present.byteCount)
    }

    /// Continues without the disk if only the disk failed and readers can do without it.
    ///
    /// - Returns: `false` if the error must be reported.
    func pass(after error: FetchError) -> Bool {
        let found: (wholes: [ReadWaiter], places: [Int64])? = state.withLock { state in
            guard canPass(after: error, state) else { return nil }
            // From here on nobody can start to read the file: `noteFileUse` checks under the same
            // lock.
            state.passing = error
            defer { state.waiters.removeAll { $0.goal == .whole } }
            return (
                state.waiters.filter { $0.goal == .whole },
                // An origin that ignores ranges would start over for what was stored and is not yet read.
                state.honoursRanges ? [] : state.places
            )
        }
        guard let (wholes, places) = found else { return false }
        // Ignore the last commit's error, but wait until no commit is running.
        try? commits.wait()
        file.pass(after: error, keeping: places)
        // The remaining folder is useless once nobody holds it.
        _ = try? store.remove(file.key)
        hub.send(.passesThrough(error))
        for waiter in wholes { waiter.wake(.failure(error)) }
        return true
    }

    /// Returns whether only the disk failed and somebody can read without the disk.
    func canPass(after error: FetchError, _ state: State) -> Bool {
        guard case .storage = error, error.endsStoring, file.passingCause == nil, !state.isClosed
        else { return false }
        let isOfUse =
            state.waiters.contains { $0.goal != .whole && !$0.isPrefetch }
            || state.readers.values.contains { $0.isActive && !$0.isCancelled }
        return isOfUse && !state.readers.values.contains { $0.usesFile && !$0.isCancelled }
    }

    /// Waits before storing ends until the readers are so near that memory holds what they have still to read, if the
    /// origin would start over for it.
    ///
    /// - Parameters:
    ///   - error: Why storing ends.
    ///   - end: Offset after the last stored byte.
    ///   - onHold: Called before each check while waiting.
    func awaitReaders(after error: FetchError, behind end: Int64, onHold: () -> Void) {
        while state.withLock({
            !$0.honoursRanges && canPass(after: error, $0) && $0.isTooFarAhead(end)
        }) {
            onHold()
            pause.wait(seconds: 0.02)
        }
    }

    /// Frees memory far from every reader, and waits for the readers: one request brings all that
    /// they read.
    ///
    /// - Parameters:
    ///   - end: Offset after the last received byte.
    ///   - onHold: Called before each check while waiting.
    func makeRoom(behind end: Int64, onHold: () -> Void) {
        guard file.passingCause != nil else { return }
        wakeMet()
        file.makeRoom(near: state.withLock { $0.places })
        while state.withLock({ $0.isTooFarAhead(end) }) {
            onHold()
            pause.wait(seconds: 0.02)
        }
    }
}

extension FetchSession.State {
    fileprivate var places: [Int64] {
        readers.values.filter { $0.isActive && !$0.isCancelled }.map(\.position) + waitedFor
    }

    private var waitedFor: [Int64] {
        waiters.compactMap { waiter in
            guard case .byte(let offset) = waiter.goal else { return nil }
            return offset
        }
    }

    /// Returns whether every waiter wants a byte before `end`, so that only a new request can help.
    func wantsOnly(before end: Int64) -> Bool {
        !waitedFor.isEmpty && waitedFor.allSatisfy { $0 < end }
    }

    /// Returns whether nobody waits and every reader is still far behind `end`.
    fileprivate func isTooFarAhead(_ end: Int64) -> Bool {
        guard isNeeded, waitedFor.isEmpty else { return false }
        return end - (places.max() ?? end) > SourceFile.passingAheadBytes
    }
}
