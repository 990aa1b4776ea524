internal import TakeupDigest
internal import TakeupFiles
internal import TakeupLanes

/// What the origin states of the bytes, and whether it is so.
extension FetchSession {
    /// Notes what an answer states of a version, at best before its bytes are stored, so that they are summed up as
    /// they come.
    func note(_ digests: StatedDigests, of generation: Int64) {
        guard !digests.isEmpty else { return }
        let known = state.withLock { state in
            if state.stated?.generation != generation {
                state.stated = SourceEntry.Stated(generation: generation)
            }
            state.stated?.digests.add(digests)
            return state.stated?.digests.digests ?? []
        }
        file.hashAlso(known.map(\.algorithm))
    }

    /// What is stated of the bytes that are here, by this session's answers or those of another before or beside it.
    func statedDigests() -> [StatedDigest] {
        let generation = file.status.generation
        let own = state.withLock { $0.stated }
        if let own, own.generation == generation { return own.digests.digests }
        let entry = file.folder.flatMap { try? store.entry($0) }
        guard let stated = entry?.stated, stated.generation == generation else { return [] }
        return stated.digests.digests
    }

    /// Hashes the whole source and compares it with what is stated; drops bytes that are not so.
    ///
    /// - Parameters:
    ///   - expected: A SHA-256 that makes them right, whatever is stated.
    ///   - isStopped: Asked now and then; `true` ends the work.
    /// - Returns: nil when the source is not complete, or this was stopped.
    /// - Throws: `FetchError.checksumMismatch`, `.changed`, `.storage`.
    func hashed(
        expecting expected: String?, isStopped: () -> Bool
    ) throws(FetchError) -> HashedContent? {
        // The last bytes may have come a moment ago.
        if file.status.isWriter { try file.commit() }
        let generation = file.status.generation
        let stated = statedDigests()
        let algorithms = Set([.sha256] + stated.map(\.algorithm))
        guard let found = try file.digests(algorithms, isStopped: isStopped),
            let sha256 = found[.sha256]
        else { return nil }
        guard file.status.generation == generation else { throw .changed(address: file.address) }
        // One that cannot be summed up here is neither so nor not.
        let confirmed = stated.filter { found[$0.algorithm] == $0.digits }
        let refuted = stated.filter { found[$0.algorithm] ?? $0.digits != $0.digits }
        if sha256 != expected, let first = refuted.first {
            let error = FetchError.checksumMismatch(
                first, found: found[first.algorithm] ?? "", address: file.address)
            try drop(generation, because: error)
            throw error
        }
        return HashedContent(sha256: sha256, confirmed: confirmed, refuted: refuted)
    }

    /// Lets go the bytes of a generation, so that nobody takes them for the origin's.
    private func drop(_ generation: Int64, because error: FetchError) throws(FetchError) {
        let status = file.status
        guard status.generation == generation else { return }
        if status.isWriter {
            try file.discard()
        } else {
            _ = try store.remove(file.key)
        }
        state.withLock { state in
            state.lastFailure = error
            state.log.discardedBytes += status.present.byteCount
        }
        hub.send(.failed(error))
        wakeMet()
    }
}
