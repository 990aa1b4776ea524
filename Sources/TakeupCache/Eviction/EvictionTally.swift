/// What is left of the cache while entries are taken out of it.
struct EvictionTally {
    private(set) var entries: Int
    private(set) var bytes: Int64 = 0
    private(set) var freeBytes: Int64
    /// How many entries name each file.
    private var sharers: [String: Int] = [:]

    init(_ candidates: [EvictionPolicy.Candidate], freeBytes: Int64) {
        entries = candidates.count
        self.freeBytes = freeBytes
        for candidate in candidates {
            let count = sharers[candidate.content, default: 0]
            sharers[candidate.content] = count + 1
            if count == 0 { bytes += candidate.bytes }
        }
    }

    mutating func remove(_ candidate: EvictionPolicy.Candidate) {
        entries -= 1
        let left = sharers[candidate.content, default: 1] - 1
        sharers[candidate.content] = left
        guard left == 0 else { return }
        bytes -= candidate.bytes
        if candidate.freesSpace { freeBytes += candidate.bytes }
    }

    /// The free space to reach: the floor and what is wanted besides, or the floor alone where that is too much.
    func floor(
        _ minFreeBytes: Int64, needBytes: Int64, movable: [EvictionPolicy.Candidate]
    ) -> Int64 {
        let (wanted, isTooMuch) = minFreeBytes.addingReportingOverflow(max(0, needBytes))
        guard !isTooMuch, freeBytes < wanted else { return isTooMuch ? minFreeBytes : wanted }
        var empty = self
        for candidate in movable { empty.remove(candidate) }
        return empty.freeBytes >= wanted ? wanted : minFreeBytes
    }

    /// The limit that is not kept.
    func excess(over limits: CacheLimits, floor: Int64) -> EvictionPolicy.Reason? {
        if let most = limits.maxEntries, entries > most { return .overCount }
        if let most = limits.maxBytes, bytes > most { return .overBytes }
        return freeBytes < floor ? .lowSpace : nil
    }
}
