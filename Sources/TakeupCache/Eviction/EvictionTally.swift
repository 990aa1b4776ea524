/// What is left of the cache while entries are taken out of it.
///
/// Counts wider than the sizes are: a damaged row may claim any, and no sum of them may overflow.
struct EvictionTally {
    private(set) var entries: Int
    private(set) var bytes: Int128 = 0
    private(set) var freeBytes: Int128
    /// How many entries name each file.
    private var sharers: [String: Int] = [:]

    init(_ candidates: [EvictionPolicy.Candidate], freeBytes: Int64) {
        entries = candidates.count
        self.freeBytes = Int128(freeBytes)
        for candidate in candidates {
            let count = sharers[candidate.content, default: 0]
            sharers[candidate.content] = count + 1
            if count == 0 { bytes += Self.size(candidate) }
        }
    }

    /// Creates the tally of a part, which states how many entries share each of its files.
    init(_ part: EvictionPolicy.Part, freeBytes: Int64) {
        (entries, bytes) = (part.holdings.entries, part.holdings.bytes)
        (self.freeBytes, sharers) = (Int128(freeBytes), part.sharers)
    }

    mutating func remove(_ candidate: EvictionPolicy.Candidate) {
        entries -= 1
        let left = sharers[candidate.content, default: 1] - 1
        sharers[candidate.content] = left
        guard left == 0 else { return }
        bytes -= Self.size(candidate)
        if candidate.freesSpace { freeBytes += Self.size(candidate) }
    }

    /// No file is smaller than nothing.
    private static func size(_ candidate: EvictionPolicy.Candidate) -> Int128 {
        Int128(max(0, candidate.bytes))
    }

    /// The free space to reach: the floor and what is wanted besides, or the floor alone where that is too much.
    func floor(
        _ minFreeBytes: Int64, needBytes: Int64, movable: [EvictionPolicy.Candidate]
    ) -> Int128 {
        let wanted = Int128(minFreeBytes) + Int128(max(0, needBytes))
        guard freeBytes < wanted else { return wanted }
        var empty = self
        for candidate in movable { empty.remove(candidate) }
        return empty.freeBytes >= wanted ? wanted : Int128(minFreeBytes)
    }

    /// The limit that is not kept.
    func excess(over limits: CacheLimits, floor: Int128) -> EvictionPolicy.Reason? {
        if let most = limits.maxEntries, entries > most { return .overCount }
        if let most = limits.maxBytes, bytes > most { return .overBytes }
        return freeBytes < floor ? .lowSpace : nil
    }
}
