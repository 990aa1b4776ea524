import Foundation
import TakeupCache
import TakeupFiles
import TestSupport
import Testing

@Suite("Access log")
struct AccessLogTests {
    private func events(_ path: String) throws -> [CacheEvent] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(CacheEvent.self, from: Data($0.utf8))
        }
    }

    @Test("has one line for each thing that happened")
    func lines() throws {
        let trial = try CacheTrial(CacheLimits(maxEntries: 0, minFreeBytes: 0))
        try trial.add("hello", as: "a\n\"b")
        _ = try trial.cache.lookup("a\n\"b")
        _ = try trial.cache.lookup("none")
        try trial.cache.clean()
        let events = try events(trial.folder.file("access.log"))
        #expect(events.map(\.event) == [.publish, .hit, .miss, .evict])
        #expect(events.map(\.id) == ["a\n\"b", "a\n\"b", "none", "a\n\"b"])
        #expect(events.map(\.bytes) == [5, 5, nil, 5])
        #expect(events[1].key == CacheTrial.key("a\n\"b") && events[1].time == trial.clock.now)
    }

    @Test("keeps two files of a bounded size, whoever writes them")
    func rotation() throws {
        let trial = try CacheTrial()
        let manifest = try Manifest(path: trial.folder.file("takeup.db")) { 0 }
        let logs = [0, 1].map { _ in AccessLog(folder: trial.folder.path, mostBytes: 1000) }
        let caches = try logs.map {
            try MediaCache(
                path: trial.folder.file("cache"), manifest: manifest, limits: CacheLimits(),
                log: $0)
        }
        for number in 0..<100 { _ = try caches[number % 2].lookup("none \(number)") }
        let (old, new) = (trial.folder.file("access.log.1"), trial.folder.file("access.log"))
        let all = try events(old) + events(new)
        #expect(all.last?.id == "none 99")
        #expect(all.map(\.id) == (100 - all.count..<100).map { "none \($0)" })
        for path in [old, new] {
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < 1100)
        }
        #expect(logs.allSatisfy { $0.lostEvents == 0 })
    }

    @Test("leaves a full file that somebody else sets aside, and loses no line meanwhile")
    func rotatedByOthers() throws {
        let trial = try CacheTrial()
        let log = AccessLog(folder: trial.folder.path, mostBytes: 100)
        let cache = try MediaCache(
            path: trial.folder.file("cache"), manifest: trial.cache.manifest,
            limits: CacheLimits(), log: log)
        for number in 0..<3 { _ = try cache.lookup("none \(number)") }
        let path = trial.folder.file("access.log")
        for number in 3..<5 { _ = try cache.lookup("none \(number)") }
        let other = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(other) }
        #expect(try FileLock.acquire(.exclusive, on: other))
        for number in 5..<9 { _ = try cache.lookup("none \(number)") }
        let held = try events(path).map(\.id)
        #expect(held.suffix(4) == ["none 5", "none 6", "none 7", "none 8"])
        FileLock.release(other)
        _ = try cache.lookup("none 9")
        #expect(try events(path).map(\.id) == ["none 9"])
        #expect(try events("\(path).1").map(\.id) == held)
        #expect(log.lostEvents == 0)
    }

    @Test("fails no lookup, and counts what it could not write")
    func lost() throws {
        let trial = try CacheTrial()
        let log = AccessLog(folder: trial.folder.file("nowhere"))
        let cache = try MediaCache(
            path: trial.folder.file("cache"), manifest: trial.cache.manifest,
            limits: CacheLimits(), log: log)
        #expect(try cache.lookup("none") == nil)
        #expect(log.lostEvents == 1)
    }
}
