internal import TakeupDigest
internal import TakeupLanes

/// The digests of a source, without reading it once more where it was summed up as it came.
extension SourceFile {
    /// Digests of a generation's first bytes.
    struct Hashing {
        var wanted: Set<DigestAlgorithm> = [.sha256]
        var generation: Int64 = -1
        var begun: [DigestAlgorithm: Begun] = [:]

        /// One that was fed with so many first bytes.
        struct Begun {
            var byteCount: Int64 = 0
            let digest: RunningDigest

            /// Fails for what cannot be summed up here.
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

    /// Asks for the SHA-256 while bytes come.
    func hashAsItComes() {
        hashing.withLock { $0 = $0 ?? Hashing() }
    }

    /// Asks for more than the SHA-256, where that was asked for.
    func hashAlso(_ algorithms: [DigestAlgorithm]) {
        hashing.withLock { $0?.wanted.formUnion(algorithms) }
    }

    /// Goes on with a block that has come; others than the next one are left to the end.
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

    /// Begins anew, since bytes have gone that were summed up.
    func forgetHash() {
        hashing.withLock { $0 = $0.map { Hashing(wanted: $0.wanted) } }
    }

    /// The SHA-256 of the whole, after every block that nobody has compared yet was compared.
    ///
    /// - Returns: 64 lower-case hexadecimal digits; nil when it is not complete, or was stopped.
    /// - Throws: `FetchError.storage`, or `.changed` when another version began meanwhile.
    public func sha256(isStopped: () -> Bool = { false }) throws(FetchError) -> String? {
        try digests([.sha256], isStopped: isStopped)?[.sha256]
    }

    /// Compares every block that nobody has compared yet, and then sums up what was not summed up as it came.
    ///
    /// - Returns: Lower-case hexadecimal digits, but for algorithms that cannot be used here; nil when the source is
    ///   not complete, or this was stopped.
    /// - Throws: `FetchError.storage`, or `.changed` when another version began meanwhile.
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
        // Its end can be taken once.
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
