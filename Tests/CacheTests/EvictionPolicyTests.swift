import TakeupCache
import Testing

@Suite("Eviction policy")
struct EvictionPolicyTests {
    private typealias Candidate = EvictionPolicy.Candidate

    /// `e0`, `e1`, … of 100 bytes, made at 0 and read at 0, 1, ….
    private func entries(_ count: Int) -> [Candidate] {
        (0..<count).map { number in
            Candidate(
                key: "e\(number)", content: "c\(number)", bytes: 100, createdAt: 0,
                lastAccessAt: Double(number))
        }
    }

    private func victims(
        _ limits: CacheLimits, _ candidates: [Candidate], now: Double = 1000,
        free: Int64 = 1 << 40, need: Int64 = 0
    ) -> [String] {
        EvictionPolicy(limits: limits)
            .victims(among: candidates, now: now, freeBytes: free, needBytes: need)
            .map { "\($0.candidate.key) \($0.reason)" }
    }

    @Test("lets ten of ten stay, and of eleven exactly the least recently used go")
    func count() {
        let limits = CacheLimits(maxEntries: 10)
        #expect(victims(limits, entries(10)).isEmpty)
        #expect(victims(limits, entries(11)) == ["e0 overCount"])
        var read = entries(11)
        read[0].lastAccessAt = 500
        #expect(victims(limits, read.shuffled()) == ["e1 overCount"])
    }

    @Test("counts bytes exactly", arguments: [(1000, 0), (999, 1), (900, 1), (899, 2), (0, 10)])
    func bytes(most: Int64, going: Int) {
        let found = victims(CacheLimits(maxBytes: most), entries(10))
        #expect(found == (0..<going).map { "e\($0) overBytes" })
    }

    @Test("expires at an age that is reached, and not before")
    func age() {
        let limits = CacheLimits(expiresSeconds: 60)
        #expect(victims(limits, entries(1), now: 59.999).isEmpty)
        #expect(victims(limits, entries(1), now: 60) == ["e0 expired"])
        var own = entries(2)
        own[1].expiresAt = 30
        #expect(victims(limits, own, now: 29.999).isEmpty)
        #expect(victims(limits, own, now: 30) == ["e1 expired"])
    }

    @Test("lets go what was not read for so long")
    func unused() {
        let limits = CacheLimits(unusedSeconds: 60)
        #expect(victims(limits, entries(3), now: 61.5) == ["e0 unused", "e1 unused"])
        #expect(victims(limits, entries(3), now: 62).count == 3)
    }

    @Test("keeps the floor of free space", arguments: [(500, 0), (499, 1), (400, 1), (399, 2)])
    func floor(free: Int64, going: Int) {
        let found = victims(CacheLimits(minFreeBytes: 500), entries(5), free: free)
        #expect(found == (0..<going).map { "e\($0) lowSpace" })
    }

    @Test("makes room for what is wanted besides, or for nothing where that cannot be")
    func need() {
        let limits = CacheLimits(minFreeBytes: 500)
        #expect(victims(limits, entries(5), free: 700, need: 200).isEmpty)
        #expect(victims(limits, entries(5), free: 700, need: 201) == ["e0 lowSpace"])
        #expect(victims(limits, entries(5), free: 700, need: 700).count == 5)
        #expect(victims(limits, entries(5), free: 700, need: 701).isEmpty)
        #expect(victims(limits, entries(5), free: 450, need: .max) == ["e0 lowSpace"])
    }

    @Test("sizes that no file has overflow nothing", arguments: [Int64.max, .min, -1])
    func damagedSizes(bytes: Int64) {
        var damaged = entries(3)
        for index in damaged.indices { damaged[index].bytes = bytes }
        let all = CacheLimits(maxEntries: 0, maxBytes: 0, minFreeBytes: .max)
        #expect(victims(all, damaged, free: .max, need: .max).count == 3)
        let low = victims(CacheLimits(minFreeBytes: .max), damaged, free: 0, need: .max)
        #expect(low.count == (bytes > 0 ? 2 : 3))
    }

    @Test("what frees no space stays when space is short, and goes for every other reason")
    func linked() {
        var shared = entries(4)
        shared[0].freesSpace = false
        shared[1].freesSpace = false
        let low = CacheLimits(minFreeBytes: 500)
        #expect(victims(low, shared, free: 350) == ["e2 lowSpace", "e3 lowSpace"])
        #expect(victims(low, shared, free: 500, need: 200) == ["e2 lowSpace", "e3 lowSpace"])
        #expect(victims(low, shared, free: 500, need: 201).isEmpty)
        #expect(victims(CacheLimits(maxEntries: 3), shared) == ["e0 overCount"])
        #expect(victims(CacheLimits(maxBytes: 300), shared) == ["e0 overBytes"])
        #expect(victims(CacheLimits(unusedSeconds: 1000), shared) == ["e0 unused"])
    }

    @Test("never lets go what is pinned or in use")
    func kept() {
        var held = entries(4)
        held[0].isPinned = true
        held[1].isInUse = true
        let limits = CacheLimits(maxEntries: 0, maxBytes: 0, expiresSeconds: 1)
        #expect(victims(limits, held, free: 0) == ["e2 expired", "e3 expired"])
        let byCount = CacheLimits(maxEntries: 3)
        #expect(victims(byCount, held) == ["e2 overCount"])
    }

    @Test("expires nothing when the clock was set back a day")
    func clockSetBack() {
        let limits = CacheLimits(expiresSeconds: 3600, unusedSeconds: 3600)
        let made = entries(5).map { entry in
            var entry = entry
            (entry.createdAt, entry.lastAccessAt) = (1_000_000, 1_000_000)
            entry.expiresAt = 1_003_600
            return entry
        }
        #expect(victims(limits, made, now: 1_000_000 - 86_400).isEmpty)
        #expect(victims(limits, made, now: 1_003_600).count == 5)
    }

    @Test("counts a file that two entries share once")
    func shared() {
        var twins = entries(3)
        twins[1].content = "c0"
        #expect(victims(CacheLimits(maxBytes: 200), twins).isEmpty)
        #expect(victims(CacheLimits(maxBytes: 199), twins) == ["e0 overBytes", "e1 overBytes"])
    }

    @Test("names a bounded number at once")
    func bounded() {
        let many = entries(EvictionPolicy.mostVictims + 50)
        let found = victims(CacheLimits(maxEntries: 0), many)
        #expect(found.count == EvictionPolicy.mostVictims && found.first == "e0 overCount")
    }
}
