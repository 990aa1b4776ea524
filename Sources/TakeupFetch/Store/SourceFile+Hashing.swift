internal import TakeupDigest
internal import TakeupLanes

/// Computes the digests of a source; bytes that were hashed on arrival are not read again.
extension SourceFile {
    /// Running digests of a generation's first bytes.
    struct Hashing {
        var wanted: Set<DigestAlgorithm> = [.sha256]
        var generation: Int64 = -1
        var begun: [DigestAlgorithm: Begun] = [:]

        /// A running digest and the number of bytes fed to it.
        struct Begun {
            var byteCount: Int64 = 0
            let digest: RunningDigest

            /// Fails for an unsupported algorithm.
            init?(_ algorithm: DigestAlgorithm) {
                guard let digest = RunningDigest(algorithm) else { return nil }
                self.digest = digest
            }
        }

        mutating func add(_ bytes: [UInt8], at offset: Int64) {
            if offset == 0 { begun = [:] }
            for algorithm in wanted {
                if offset == 0 { begun[algorithm] = Begun(algorithm) }
                guard let known = begun[algorithm], known.byteCount == offset else { continue }
                known.digest.update(bytes)
                begun[algorithm]?.byteCount += Int64(bytes.count)
            }
        }
    }

    /// Requests the SHA-256 while bytes arrive.
    func hashAsItComes() {
        hashing.withLock { $0 = $0 ?? Hashing() }
    }

    /// Requests further digests, if the SHA-256 was requested.
    func hashAlso(_ algorithms: [DigestAlgorithm]) {
        hashing.withLock { $0?.wanted.formUnion(algorithms) }
    }

    /// Hashes a block that has arrived; blocks out of order are left until the end.
    func hash(_ bytes: [UInt8], at offset: Int64, generation: Int64) {
        hashing.withLock { hashing in
            guard let known = hashing else { return }
            if known.generation != generation {
                hashing?.begun = [:]
                hashing?.generation = generation
            }
            hashing?.add(bytes, at: offset)
        }
    }

    /// Restarts hashing, because bytes that were hashed are gone.
    func forgetHash() {
        hashing.withLock { $0 = $0.map { Hashing(wanted: $0.wanted) } }
    }

    /// Returns the SHA-256 of the whole source, after checking every unchecked block.
    ///
    /// - Returns: 64 lower-case hexadecimal digits; nil if the source is not complete or the work
    ///   was stopped.
    /// - Throws: `FetchError.storage`; `.changed` if another version began during the work.
    public func sha256(isStopped: () -> Bool = { false }) throws(FetchError) -> String? {
        try digests([.sha256], isStopped: isStopped)?[.sha256]
    }

    /// Checks every unchecked block, then hashes the bytes that were not hashed on arrival.
    ///
    /// - Returns: Lower-case hexadecimal digits for each supported algorithm; nil if the source is
    ///   not complete or the work was stopped.
    /// - Throws: `FetchError.storage`; `.changed` if another version began during the work.
    func digests(
        _ algorithms: Set<DigestAlgorithm>, isStopped: () -> Bool
    ) throws(FetchError) -> [DigestAlgorithm: String]? {
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
        // A running digest can be finished only once.
        let taken = hashing.withLock { hashing in
            defer { hashing = nil }
            return hashing.flatMap { $0.generation == generation ? $0 : nil }
        }
        let begun = taken?.begun ?? [:]
        var digests: [DigestAlgorithm: String] = [:]
        for algorithm in algorithms {
            guard let known = begun[algorithm] ?? Hashing.Begun(algorithm) else {
                guard algorithm != .sha256 else { throw .storage(path: data.path, errno: 12) }
                continue
            }
            guard let digits = try Self.finish(known, data, isStopped) else { return nil }
            digests[algorithm] = digits
        }
        return digests
    }

    private static func finish(
        _ begun: Hashing.Begun, _ data: StoredFile, _ isStopped: () -> Bool
    ) throws(FetchError) -> String? {
        do throws(DigestError) {
            return try begun.digest.finish(
                data.descriptor, from: begun.byteCount, isStopped: isStopped)
        } catch {
            switch error {
            case .unreadable(let reason): throw .storage(path: data.path, errno: reason)
            case .outOfMemory: throw .storage(path: data.path, errno: 12)
            }
        }
    }
}
