/// Decides which entries go; looks at nothing but what it is given.
public struct EvictionPolicy: Sendable, Equatable {
    /// What it has to know about an entry.
    public struct Candidate: Sendable, Equatable {
        public var key: String
        /// Names the file; entries that share one free its space only together.
        public var content: String
        public var bytes: Int64
        public var createdAt: Double
        public var lastAccessAt: Double
        public var expiresAt: Double?
        public var isPinned: Bool
        public var isInUse: Bool
        /// Whether its space is free once no entry names the file: not while the file has names elsewhere.
        public var freesSpace: Bool

        public init(
            key: String, content: String, bytes: Int64, createdAt: Double, lastAccessAt: Double,
            expiresAt: Double? = nil, isPinned: Bool = false, isInUse: Bool = false,
            freesSpace: Bool = true
        ) {
            (self.key, self.content, self.bytes) = (key, content, bytes)
            (self.createdAt, self.lastAccessAt) = (createdAt, lastAccessAt)
            (self.expiresAt, self.isPinned, self.isInUse) = (expiresAt, isPinned, isInUse)
            self.freesSpace = freesSpace
        }
    }

    /// Why an entry goes.
    public enum Reason: String, Sendable, Codable {
        case expired, unused, overCount, overBytes, lowSpace
    }

    /// An entry that goes.
    public struct Victim: Sendable, Equatable {
        public let candidate: Candidate
        public let reason: Reason
    }

    /// Some entries of a cache: those that go first, whatever goes.
    public struct Part: Sendable, Equatable {
        /// Holdings of the whole cache.
        public let holdings: CacheHoldings
        /// Every one that is too old or unused for too long, and the least recently used.
        public private(set) var candidates: [Candidate] = []
        /// Whether no other entry may go.
        public var isAll = false
        /// How many entries name each of their files.
        private(set) var sharers: [String: Int] = [:]
        private var places: [String: Int] = [:]

        public init(holdings: CacheHoldings) {
            self.holdings = holdings
        }

        /// Takes an entry, once.
        public mutating func add(_ candidate: Candidate, sharers count: Int) {
            guard places[candidate.key] == nil else { return }
            places[candidate.key] = candidates.count
            candidates.append(candidate)
            sharers[candidate.content] = count
        }

        mutating func change(_ body: (inout Candidate) throws(CacheError) -> Void)
            throws(CacheError)
        {
            for index in candidates.indices { try body(&candidates[index]) }
        }
    }

    /// Entries that one decision names at most.
    public static let mostVictims = 10_000

    public let limits: CacheLimits

    public init(limits: CacheLimits) {
        self.limits = limits
    }

    /// Names the entries that the cache must evict, in order.
    ///
    /// First the expired and long unused entries, then the least recently used, until the cache is within every limit.
    /// Pinned entries and entries in use stay. An age is never negative: a clock that was set back expires nothing.
    /// When the disk has too little space, an entry that frees no space stays.
    ///
    /// - Parameters:
    ///   - candidates: Every entry.
    ///   - now: Seconds since 1970.
    ///   - freeBytes: Free on the cache's file system.
    ///   - needBytes: Space that is wanted besides the floor; when not even all that may go would free it,
    ///     nothing goes for it.
    /// - Returns: At most `mostVictims`; decide again after they went.
    public func victims(
        among candidates: [Candidate], now: Double, freeBytes: Int64, needBytes: Int64 = 0
    ) -> [Victim] {
        var tally = EvictionTally(candidates, freeBytes: freeBytes)
        return choose(among: candidates, now: now, needBytes: needBytes, &tally).victims
    }

    /// Names the same entries, where a part of the cache is enough to tell.
    ///
    /// - Returns: nil where it is not.
    public func victims(
        among part: Part, now: Double, freeBytes: Int64, needBytes: Int64 = 0
    ) -> [Victim]? {
        var tally = EvictionTally(part, freeBytes: freeBytes)
        let (victims, floor) = choose(
            among: part.candidates, now: now, needBytes: needBytes, &tally)
        if part.isAll { return victims }
        let isReached = floor == Int128(limits.minFreeBytes) + Int128(max(0, needBytes))
        return isReached && tally.excess(over: limits, floor: floor) == nil ? victims : nil
    }

    private func choose(
        among candidates: [Candidate], now: Double, needBytes: Int64, _ tally: inout EvictionTally
    ) -> (victims: [Victim], floor: Int128) {
        let movable = candidates.filter { !$0.isPinned && !$0.isInUse }
            .sorted { ($0.lastAccessAt, $0.key) < ($1.lastAccessAt, $1.key) }
        var victims: [Victim] = []
        var kept: [Candidate] = []
        for candidate in movable {
            guard let reason = ageReason(candidate, now: now) else {
                kept.append(candidate)
                continue
            }
            victims.append(Victim(candidate: candidate, reason: reason))
            tally.remove(candidate)
        }
        let floor = tally.floor(limits.minFreeBytes, needBytes: needBytes, movable: kept)
        for candidate in kept {
            guard let reason = tally.excess(over: limits, floor: floor) else { break }
            if reason == .lowSpace, !candidate.freesSpace { continue }
            victims.append(Victim(candidate: candidate, reason: reason))
            tally.remove(candidate)
        }
        return (Array(victims.prefix(Self.mostVictims)), floor)
    }

    private func ageReason(_ candidate: Candidate, now: Double) -> Reason? {
        if let end = candidate.expiresAt, now >= end { return .expired }
        if let age = limits.expiresSeconds, now - candidate.createdAt >= age { return .expired }
        if let age = limits.unusedSeconds, now - candidate.lastAccessAt >= age { return .unused }
        return nil
    }
}
