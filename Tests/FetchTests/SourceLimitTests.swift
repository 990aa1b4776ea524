import Testing

@testable import TakeupFetch

@Suite("Limits of stored sources")
struct SourceLimitTests {
    /// Sources of 1000 bytes each, the first one used longest ago.
    private func sources(_ count: Int) throws -> [SourceSummary] {
        (0..<count).map { number in
            var entry = SourceEntry(address: "\(number)", createdAt: 1000)
            entry.lastUsedAt = 2000 + Double(number)
            return SourceSummary(
                key: SourceKey(address: "\(number)"), entry: entry,
                version: SourceVersion(validator: "v", length: 1000), presentBytes: 1000,
                diskBytes: 1000, isInUse: false)
        }
    }

    private func victims(
        _ limits: SourceLimits, _ sources: [SourceSummary], now: Double = 3000, free: Int64 = 5000
    ) -> [String] {
        limits.victims(among: sources, now: now, freeBytes: free).map(\.source.entry.address)
    }

    @Test("the eleventh of ten evicts exactly the one that was read least recently (C13)")
    func count() throws {
        let trial = try StoreTrial()
        for number in 0..<11 {
            _ = try trial.open("\(number)")
            trial.pass(100)
        }
        // Read again, so that the second is now the oldest.
        _ = try trial.store.existing(SourceKey(address: "0"))
        trial.pass(100)
        let gone = try trial.store.evict(SourceLimits(maxEntries: 10))
        #expect(gone.map(\.key) == [SourceKey(address: "1")])
        #expect(gone.map(\.outcome) == [.removed])
        #expect(try trial.store.list().count == 10)
        #expect(try trial.store.evict(SourceLimits(maxEntries: 10)).isEmpty)
    }

    @Test("each age counts from its very second on, not before (C13)")
    func ages() throws {
        let few = try sources(2)
        let created = SourceLimits(expiresSeconds: 500)
        #expect(victims(created, few, now: 1499.999).isEmpty)
        #expect(victims(created, few, now: 1500) == ["0", "1"])
        let unused = SourceLimits(unusedSeconds: 500)
        #expect(victims(unused, few, now: 2499.999).isEmpty)
        #expect(victims(unused, few, now: 2500) == ["0"])
        #expect(victims(unused, few, now: 2501) == ["0", "1"])
        // A clock that was set back a day.
        #expect(
            victims(SourceLimits(expiresSeconds: 1, unusedSeconds: 1), few, now: -80_000).isEmpty)
    }

    @Test("bytes, entries and free space are kept to the one (C13)")
    func sizes() throws {
        let ten = try sources(10)
        #expect(victims(SourceLimits(maxBytes: 10_000), ten).isEmpty)
        #expect(victims(SourceLimits(maxBytes: 9999), ten) == ["0"])
        #expect(victims(SourceLimits(maxBytes: 9000), ten) == ["0"])
        #expect(victims(SourceLimits(maxBytes: 8999), ten) == ["0", "1"])
        #expect(victims(SourceLimits(maxEntries: 10), ten).isEmpty)
        #expect(victims(SourceLimits(maxEntries: 9), ten) == ["0"])
        #expect(victims(SourceLimits(minFreeBytes: 5000), ten).isEmpty)
        #expect(victims(SourceLimits(minFreeBytes: 5001), ten) == ["0"])
        #expect(victims(SourceLimits(minFreeBytes: 6001), ten) == ["0", "1"])
        #expect(victims(SourceLimits(maxEntries: 9, maxBytes: 7000), ten) == ["0", "1", "2"])
    }

    @Test("what is pinned or in use stays and counts; others go in its place (C13)")
    func stays() throws {
        var ten = try sources(10)
        ten[0].entry.isPinned = true
        ten[1].isInUse = true
        #expect(victims(SourceLimits(maxEntries: 8), ten) == ["2", "3"])
        let all = SourceLimits(maxEntries: 0, maxBytes: 0, minFreeBytes: .max, expiresSeconds: 0)
        #expect(victims(all, ten) == (2..<10).map { "\($0)" })
    }
}
