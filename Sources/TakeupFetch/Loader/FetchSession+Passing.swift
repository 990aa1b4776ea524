internal import Dispatch
internal import Foundation
internal import TakeupLanes

/// What is done when the disk does not take the bytes; all but `noteFileUse` is called on the download's lane.
extension FetchSession {
    /// Notes that a reader reads the data file by itself.
    ///
    /// - Throws: What the disk failed with, once the bytes do not come into the file any more.
    func noteFileUse(by id: Int) throws(FetchError) {
        try state.withLock { (state) throws(FetchError) in
            if let cause = state.passing { throw cause }
            state.readers[id]?.usesFile = true
        }
    }

    /// Whether bytes may still be kept of an object that is so long at least.
    ///
    /// - Throws: `FetchError.storage`, with `EFBIG` for the limit.
    func requireKept(_ bytes: Int64) throws(FetchError) {
        guard file.passingCause == nil else { return }
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
        guard let most = settings.keptBytes, bytes > most else { return }
        throw .storage(path: store.path, errno: EFBIG)
    }

    /// Goes on without the disk where its failure was all that went wrong and readers can do without it.
    ///
    /// - Returns: `false` when the error has to be told.
    func pass(after error: FetchError) -> Bool {
        let wholes: [ReadWaiter]? = state.withLock { state in
            guard canPass(after: error, state) else { return nil }
            // From here on nobody begins to read the file: that is asked under the same lock.
            state.passing = error
            defer { state.waiters.removeAll { $0.goal == .whole } }
            return state.waiters.filter { $0.goal == .whole }
        }
        guard let wholes else { return false }
        // What it failed with does not matter any more, but nothing may be under way.
        try? commits.wait()
        file.pass(after: error)
        // The folder that is left is of no use once nobody holds it.
        _ = try? store.remove(file.key)
        hub.send(.passesThrough(error))
        for waiter in wholes { waiter.wake(.failure(error)) }
        return true
    }

    /// Whether the disk's failure is all that went wrong, and somebody can do without it.
    func canPass(after error: FetchError, _ state: State) -> Bool {
        guard case .storage = error, file.passingCause == nil, !state.isClosed else { return false }
        let isOfUse =
            state.waiters.contains { $0.goal != .whole && !$0.isPrefetch }
            || state.readers.values.contains { $0.isActive && !$0.isCancelled }
        return isOfUse && !state.readers.values.contains { $0.usesFile && !$0.isCancelled }
    }

    /// Lets go what is far from every reader; where an origin cannot be asked again for a place, it waits for them.
    ///
    /// - Parameters:
    ///   - end: Where the last byte that came ends.
    ///   - onHold: Called while it waits, before each look.
    func makeRoom(behind end: Int64, onHold: () -> Void) {
        guard file.passingCause != nil else { return }
        wakeMet()
        file.makeRoom(near: state.withLock { $0.places })
        while state.withLock({ $0.isTooFarAhead(end) }) {
            onHold()
            _ = pause.wait(timeout: .now() + 0.02)
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

    /// Whether who waits is served by another beginning only.
    func wantsOnly(before end: Int64) -> Bool {
        !waitedFor.isEmpty && waitedFor.allSatisfy { $0 < end }
    }

    /// Whether nobody waits, and nobody has come near a place.
    fileprivate func isTooFarAhead(_ end: Int64) -> Bool {
        guard !honoursRanges, isNeeded, waitedFor.isEmpty else { return false }
        return end - (places.max() ?? end) > SourceFile.passingAheadBytes
    }
}
