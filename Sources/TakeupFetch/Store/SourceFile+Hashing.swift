internal import TakeupDigest
internal import TakeupLanes

/// The SHA-256 of a source, without reading it once more where it was hashed as it came.
extension SourceFile {
    /// A hash of a generation's first bytes.
    struct Hashing {
        var generation: Int64 = -1
        var byteCount: Int64 = 0
        var digest: RunningSHA256?
    }

    /// Asks for the hash while bytes come.
    func hashAsItComes() {
        hashing.withLock { $0 = $0 ?? Hashing() }
    }

    /// Goes on with a block that has come; others than the next one are left to the end.
    func hash(_ bytes: [UInt8], at offset: Int64, generation: Int64) {
        hashing.withLock { hashing in
            guard var known = hashing else { return }
            if known.generation != generation || offset == 0 {
                known = Hashing(generation: generation, digest: RunningSHA256())
            }
            guard let digest = known.digest, offset == known.byteCount else { return }
            digest.update(bytes)
            known.byteCount += Int64(bytes.count)
            hashing = known
        }
    }

    /// Begins anew, since bytes have gone that were hashed.
    func forgetHash() {
        hashing.withLock { $0 = $0 == nil ? nil : Hashing() }
    }

    /// Compares every block that nobody has compared yet, and then hashes what was not hashed as it came.
    ///
    /// - Returns: 64 lower-case hexadecimal digits; nil when it is not complete, or was stopped.
    /// - Throws: `FetchError.storage`, or `.changed` when another version began meanwhile.
    public func sha256(isStopped: () -> Bool = { false }) throws(FetchError) -> String? {
        let generation = status.generation
        let (data, unchecked) = state.withLock { ($0.data, $0.map.unchecked.sorted()) }
        for block in unchecked {
            guard !isStopped() else { return nil }
            guard try check(block, generation: generation) else { return nil }
        }
        let isComplete = try state.withLock { (state) throws(FetchError) in
            guard state.generation == generation else { throw .changed(address: address) }
            if let cause = state.passing?.cause { throw cause }
            return state.map.isComplete
        }
        guard isComplete else { return nil }
        // Its end can be taken once.
        let begun = hashing.withLock { hashing in
            defer { hashing = nil }
            return hashing.flatMap { $0.generation == generation ? $0 : nil }
        }
        do throws(DigestError) {
            let digest = begun?.digest ?? RunningSHA256()
            guard let digest else { throw .outOfMemory }
            let start = begun?.digest == nil ? 0 : begun?.byteCount ?? 0
            return try digest.finish(data.descriptor, from: start, isStopped: isStopped)
        } catch {
            switch error {
            case .unreadable(let reason): throw .storage(path: data.path, errno: reason)
            case .outOfMemory: throw .storage(path: data.path, errno: 12)
            }
        }
    }
}
