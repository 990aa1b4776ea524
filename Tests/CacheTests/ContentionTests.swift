import Foundation
import TakeupCache
import TakeupLanes
import TakeupSQL
import TestSupport
import Testing

@Suite("Cache contention")
struct ContentionTests {
    @Test("places one file when several place the same content at once")
    func samePlace() throws {
        let trial = try CacheTrial()
        let caches = try (0..<8).map { _ in try trial.again() }
        let failures = Locked<[String]>([])
        let group = LaneGroup()
        for (number, cache) in caches.enumerated() {
            group.start("place \(number)") {
                do {
                    for round in 0..<20 {
                        let text = "round \(round)"
                        try CacheTrial.add(text, as: "\(number)-\(round)", to: cache, at: 0)
                        let found = try cache.lookup("\(number)-\(round)")
                        guard let found, CacheTrial.text(found.file) == text else {
                            failures.withLock { $0.append("\(number) \(round)") }
                            continue
                        }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(trial.files().count == 20)
        #expect(try trial.cache.statistics().entries == 160)
    }

    @Test("has a whole file for every row while eight threads place, look up and evict")
    func hammer() throws {
        let trial = try CacheTrial()
        let limits = CacheLimits(maxEntries: 6, minFreeBytes: 0)
        let caches = try (0..<8).map { _ in try trial.again(limits) }
        let failures = Locked<[String]>([])
        let group = LaneGroup()
        for (number, cache) in caches.enumerated() {
            group.start("hammer \(number)") {
                do {
                    for round in 0..<60 { try Self.step(cache, number, round, failures) }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(try trial.cache.verify(repairing: false).isEmpty)
        let statistics = try trial.cache.statistics()
        #expect(statistics.damaged == 0 && statistics.evictions > 0)
        try caches[0].clean()
        let found = try trial.cache.reconcile()
        #expect(found.droppedRows == 0 && found.orphans == 0 && found.quarantined == 0)
        #expect(trial.files().count <= 6)
    }

    /// Twelve works share six contents, so that entries share files while they come and go.
    private static func step(
        _ cache: MediaCache, _ number: Int, _ round: Int, _ failures: Locked<[String]>
    ) throws {
        let work = (number * 7 + round * 5) % 12
        let text = "content \(work % 6)"
        switch (number + round) % 4 {
        case 0, 1:
            try CacheTrial.add(text, as: "work \(work)", to: cache, at: Double(round))
        case 2:
            guard let found = try cache.lookup("work \(work)") else { return }
            if CacheTrial.text(found.file) != text {
                failures.withLock { $0.append("work \(work) read wrongly") }
            }
        default:
            if round % 8 == 3 {
                _ = try cache.reconcile()
            } else {
                try cache.clean()
            }
        }
    }
}
