internal import TakeupDigest
internal import TakeupFiles
internal import TakeupLanes

/// Keeps the digests that the origin states, and checks the bytes against them.
extension FetchSession {
    /// Records the digests that an answer states for a version.
    ///
    /// A call before the bytes are stored lets them be hashed as they arrive.
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

    /// Returns the digests stated for the present bytes, by this session or by another one.
    func statedDigests() -> [StatedDigest] {
        let generation = file.status.generation
        let own = state.withLock { $0.stated }
        if let own, own.generation == generation { return own.digests.digests }
        let entry = file.folder.flatMap { try? store.entry($0) }
        guard let stated = entry?.stated, stated.generation == generation else { return [] }
        return stated.digests.digests
    }

    /// Hashes the whole source and compares it with the stated digests; drops bytes that do not
    /// match.
    ///
    /// - Parameters:
    ///   - expected: A SHA-256 that proves the bytes right, whatever the origin states.
    ///   - isStopped: Polled during the work; `true` stops it.
    /// - Returns: nil if the source is not complete or the work was stopped.
    /// - Throws: `FetchError.checksumMismatch`, `.changed`, `.storage`.
    func hashed(
        expecting expected: String?, isStopped: () -> Bool
    ) throws(FetchError) -> HashedContent? {
        // The last bytes may have arrived just now and not be committed yet.
        if file.status.isWriter { try file.commit() }
        let generation = file.status.generation
        let stated = statedDigests()
        let algorithms = Set([.sha256] + stated.map(\.algorithm))
        guard let found = try file.digests(algorithms, isStopped: isStopped),
            let sha256 = found[.sha256]
        else { return nil }
        guard file.status.generation == generation else { throw .changed(address: file.address) }
        // A digest of an unsupported algorithm counts as neither confirmed nor refuted.
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

    /// Drops the bytes of a generation, so that nobody takes them for the origin's.
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
