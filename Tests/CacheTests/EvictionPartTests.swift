import TakeupFiles
import TakeupSQL
import TestSupport
import Testing

@testable import TakeupCache

@Suite("Eviction by a part")
struct EvictionPartTests {
    /// Some thousand entries of some hundred files, used in no order.
    private func filled(
        _ trial: borrowing CacheTrial, _ random: inout SeededRandom
    ) throws -> Manifest {
        let manifest = trial.cache.manifest
        for number in 0..<400 {
            let content = random.next() % 300
            let digits = String(content, radix: 16)
            let name = String(repeating: "0", count: 64 - digits.count) + digits
            let object = try #require(ObjectName(sha256: name, fileExtension: .mp4))
            var entry = ManifestEntry(
                key: CacheTrial.key("\(number)"), object: object,
                bytes: Int64(content * 7 % 1000),
                createdAt: trial.clock.now - Double(random.next() % 1000))
            entry.lastAccessAt = entry.createdAt
            if random.next() % 50 == 0 { entry.expiresAt = trial.clock.now - 1 }
            if random.next() % 50 == 0 { entry.isPinned = true }
            _ = try manifest.record(entry, alias: nil, if: { _ in true })
        }
        for number in 0..<40 {
            let entry = try #require(try manifest.entry(key: CacheTrial.key("\(number * 7)")))
            _ = try manifest.evict(entry)
        }
        return manifest
    }

    @Test("a part names the entries that all would, or says that it cannot", arguments: 1...20)
    func same(seed: Int) throws {
        let trial = try CacheTrial()
        var random = SeededRandom(state: UInt64(seed))
        let manifest = try filled(trial, &random)
        let all = try manifest.candidates()
        let held = try manifest.statistics()
        var told = 0
        for _ in 0..<30 {
            var limits = CacheLimits(minFreeBytes: Int64(random.next() % 20_000))
            if random.next() % 2 == 0 { limits.maxEntries = 300 + Int(random.next() % 100) }
            if random.next() % 2 == 0 {
                limits.maxBytes = held.bytes - Int64(random.next() % 10_000)
            }
            if random.next() % 2 == 0 { limits.unusedSeconds = 900 + Double(random.next() % 200) }
            let policy = EvictionPolicy(limits: limits)
            let (free, need) = (Int64(random.next() % 20_000), Int64(random.next() % 5000))
            let expected = policy.victims(
                among: all, now: trial.clock.now, freeBytes: free, needBytes: need)
            guard let part = try manifest.firstCandidates(limits, most: 60) else { continue }
            #expect(part.holdings == CacheHoldings(entries: all.count, bytes: Int128(held.bytes)))
            let found = policy.victims(
                among: part, now: trial.clock.now, freeBytes: free, needBytes: need)
            guard let found else { continue }
            told += 1
            #expect(found == expected)
        }
        #expect(told > 0)
    }

    @Test("what is held is known without adding it up, also after damage by hand")
    func holdings() throws {
        let trial = try CacheTrial()
        try CacheTrial.add("one", as: "a", to: trial.cache, at: 1)
        try CacheTrial.add("one", as: "b", to: trial.cache, at: 1)
        try CacheTrial.add("other", as: "c", to: trial.cache, at: 1)
        func held() throws -> CacheHoldings? {
            try trial.cache.manifest.firstCandidates(trial.cache.limits, most: 9)?.holdings
        }
        #expect(try held() == CacheHoldings(entries: 3, bytes: 8))
        _ = try trial.cache.remove("a")
        #expect(try held() == CacheHoldings(entries: 2, bytes: 8))
        _ = try trial.cache.remove("b")
        #expect(try held() == CacheHoldings(entries: 1, bytes: 5))
    }
}
