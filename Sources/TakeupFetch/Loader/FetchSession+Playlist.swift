internal import TakeupLanes

/// The interface between a playlist's download and its session; call it on the download's lane.
extension FetchSession {
    var isNeeded: Bool { state.withLock { $0.isNeeded } }

    /// Records that the playlist has one size, so that a picture limit has no effect.
    func noteOneSize() { state.withLock { $0.hasOneSize = true } }

    /// Records that the source is a playlist.
    func notePlaylist() { state.withLock { $0.isPlaylist = true } }

    /// Whether the source is a playlist; one that is stored as its joined pieces is, too.
    var isPlaylist: Bool {
        state.withLock { $0.isPlaylist } || PlaylistPieces.isVersion(file.status.version)
    }

    var hasPlayers: Bool { state.withLock { $0.hasPlayers } }

    /// Checks whether somebody wants the pieces of a playlist as one stream.
    ///
    /// - Throws: `FetchError.unsupported` if only players read it.
    func requireJoining() throws(FetchError) {
        guard state.withLock({ $0.hasPlayers && !$0.hasOthers }) else { return }
        throw Self.unjoined(file.address)
    }

    static func unjoined(_ address: String) -> FetchError {
        .unsupported("a playlist, which players read as it is", address: address)
    }

    /// Counts received bytes that are not stored yet.
    func noteCollected(_ count: Int) {
        state.withLock { $0.log.originBytes += Int64(count) }
    }

    /// Adopts the version of a playlist's stream.
    func adopt(_ version: SourceVersion) throws(FetchError) {
        // Pieces need the disk, because they cannot be requested again one by one.
        if let cause = file.passingCause { throw cause }
        let before = file.status
        if try file.bind(version) == .startedOver { noteNewVersion(before) }
        // A distant place needs all the bytes before it.
        state.withLock { ($0.honoursRanges, $0.hasOneSize) = (false, false) }
        trust()
    }

    /// Returns whether the piece at this offset is wanted; if not, the lane ends.
    func wantsPiece(from end: Int64) -> Bool {
        let (isWanted, met) = state.withLock { state in
            let status = file.status
            let met = state.takeMet(status, address: file.address)
            let furthest = state.readers.values.map(\.position).max() ?? 0
            let isNear = settings.aheadBytes.map { end - furthest <= $0 } ?? true
            let isWanted =
                !status.isComplete && state.isNeeded
                && (!state.waiters.isEmpty || isNear)
            if !isWanted { state.isRunning = false }
            return (isWanted, met)
        }
        for (waiter, result) in met { waiter.wake(result) }
        return isWanted
    }

    /// Stores a piece.
    ///
    /// - Returns: `false` if the piece contradicts its bytes that are already stored.
    func append(_ bytes: [UInt8], as place: PieceSizes.Place) throws(FetchError) -> Bool {
        let end = place.start + Int64(bytes.count)
        let limit = min(settings.judge.limitBytes, BlockMap.mostBytes)
        guard end <= limit else { throw .tooLarge(limitBytes: limit, address: file.address) }
        let generation = file.status.generation
        guard try file.agrees(with: bytes, as: place, generation: generation) else { return false }
        var failure: FetchError?
        bytes.withUnsafeBytes { bytes in
            do throws(FetchError) {
                try file.write(
                    bytes, at: place.start, generation: generation, leavesCommits: true)
                try file.notePiece(place.number, byteCount: bytes.count, generation: generation)
                try commits.commitIfDue(file, mayEvict: isLive)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        wakeMet()
        return true
    }

    /// Records the end of the stream.
    func learnEnd(_ version: SourceVersion, _ end: Int64) throws(FetchError) {
        var version = version
        version.length = end
        let before = file.status
        if try file.bind(version) == .startedOver { noteNewVersion(before) }
        wakeMet()
    }
}
