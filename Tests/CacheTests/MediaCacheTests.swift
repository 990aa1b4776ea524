import Foundation
import TakeupCache
import TakeupSQL
import TestSupport
import Testing

@Suite("Media cache")
struct MediaCacheTests {
    @Test("answers by name, counts hits, misses and bytes saved")
    func counting() throws {
        let trial = try CacheTrial()
        try trial.add("hello", as: "story")
        trial.clock.now += 5
        let found = try #require(try trial.cache.lookup("story"))
        #expect(CacheTrial.text(found.file) == "hello")
        #expect(found.entry.hits == 1 && found.entry.lastAccessAt == trial.clock.now)
        _ = try trial.cache.lookup(key: CacheTrial.key("story"))
        #expect(try trial.cache.lookup("other") == nil)
        let statistics = try trial.cache.statistics()
        #expect(statistics.entries == 1 && statistics.bytes == 5)
        #expect(statistics.hits == 2 && statistics.misses == 1 && statistics.bytesSaved == 10)
        #expect(statistics.freeBytes > 0)
    }

    @Test("does not answer with what has expired, unless it is pinned")
    func expiry() throws {
        let trial = try CacheTrial(CacheLimits(minFreeBytes: 0, expiresSeconds: 60))
        try trial.add("old", as: "a")
        trial.clock.now += 59.5
        #expect(try trial.cache.lookup("a") != nil)
        trial.clock.now += 0.5
        #expect(try trial.cache.lookup("a") == nil)
        #expect(try trial.cache.manifest.setPinned(true, named: "a"))
        #expect(try trial.cache.lookup("a") != nil)
    }

    @Test(
        "misses and drops an entry whose file is not the one that was recorded",
        arguments: ["missing", "short", "long", "link", "folder"])
    func damaged(kind: String) throws {
        let trial = try CacheTrial()
        let entry = try trial.add("hello", as: "a")
        let path = trial.cache.objects.path(of: entry.object)
        let target = try trial.folder.write(Data("12345".utf8), to: "target")
        if kind != "short", kind != "long" { unlink(path) }
        switch kind {
        case "short": truncate(path, 4)
        case "long": truncate(path, 6)
        case "link": symlink(target, path)
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        default: break
        }
        #expect(try trial.cache.lookup("a") == nil)
        #expect(try trial.cache.manifest.entries().isEmpty)
        #expect(try trial.cache.statistics().damaged == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("12345".utf8))
        try trial.add("hello", as: "a")
        let found = try #require(try trial.cache.lookup("a"))
        #expect(CacheTrial.text(found.file) == "hello")
    }

    @Test("evicts exactly the least recently used, row and file")
    func count() throws {
        let trial = try CacheTrial(CacheLimits(maxEntries: 10, minFreeBytes: 0))
        for number in 0..<11 {
            try trial.add("content \(number)", as: "e\(number)")
            trial.clock.now += 1
        }
        _ = try trial.cache.lookup("e0")
        let planned = try trial.cache.clean(isDryRun: true)
        #expect(planned.map(\.id) == ["e1"] && planned[0].outcome == .planned)
        #expect(trial.files().count == 11)
        let done = try trial.cache.clean()
        #expect(done.map { "\($0.id) \($0.reason) \($0.outcome)" } == ["e1 overCount removed"])
        #expect(trial.files().count == 10)
        #expect(try trial.cache.clean().isEmpty)
        let statistics = try trial.cache.statistics()
        #expect(statistics.evictions == 1 && statistics.evictedBytes == 9)
    }

    @Test("defers what somebody reads, who still reads all of it")
    func inUse() throws {
        let trial = try CacheTrial(CacheLimits(maxEntries: 1, minFreeBytes: 0))
        try trial.add("one", as: "a")
        let reader = try #require(try trial.again().lookup("a"))
        trial.clock.now += 1
        try trial.add("two", as: "b")
        let done = try trial.cache.clean()
        #expect(done.map { "\($0.id) \($0.outcome)" } == ["a inUse", "b removed"])
        #expect(try trial.cache.remove("a") == .inUse)
        #expect(CacheTrial.text(reader.file) == "one")
    }

    @Test("removes what it is told to, but nothing pinned")
    func removal() throws {
        let trial = try CacheTrial()
        try trial.add("one", as: "a")
        #expect(try trial.cache.manifest.setPinned(true, named: "a"))
        #expect(try trial.cache.remove("a") == .pinned)
        #expect(try trial.cache.manifest.setPinned(false, named: "a"))
        #expect(try trial.cache.remove("a") == .removed(bytes: 3))
        #expect(try trial.cache.remove("a") == .unknown)
        #expect(trial.files().isEmpty)
    }

    @Test("keeps a file until the last entry that names it goes")
    func shared() throws {
        let trial = try CacheTrial()
        try trial.add("same", as: "a")
        try trial.add("same", as: "b")
        #expect(try trial.cache.statistics().bytes == 4)
        #expect(try trial.cache.remove("a") == .removed(bytes: 4))
        #expect(try trial.cache.lookup("b") != nil && trial.files().count == 1)
        #expect(try trial.cache.remove("b") == .removed(bytes: 4))
        #expect(trial.files().isEmpty)
    }

    @Test("removes a placed file that no row is going to name")
    func unclaimed() throws {
        let trial = try CacheTrial()
        try trial.add("first", as: "a")
        let file = try CacheTrial.place("second", in: trial.cache)
        let entry = ManifestEntry(
            key: CacheTrial.key("a"), object: file.object, bytes: 6, createdAt: 0)
        let stands = try trial.cache.record(entry, file: file, alias: nil, if: { _ in true })
        #expect(stands?.bytes == 5 && trial.files().count == 1)
        let lost = try CacheTrial.place("third", in: trial.cache)
        #expect(try trial.cache.record(entry, file: lost, alias: nil, if: { _ in false }) == nil)
        #expect(trial.files().count == 1)
    }

    @Test("removes it while the one who staged it still has it open, too")
    func stillStaged() throws {
        let trial = try CacheTrial()
        let (staged, object) = try CacheTrial.stage("content", in: trial.cache)
        let file = try trial.cache.place(staged, as: object)
        let entry = ManifestEntry(
            key: CacheTrial.key("a"), object: object, bytes: file.bytes, createdAt: 0)
        #expect(try trial.cache.record(entry, file: file, alias: nil, if: { _ in false }) == nil)
        #expect(trial.files() == [])
        withExtendedLifetime(staged) {}
    }

    @Test("lets a new result take the place of one that has expired or is damaged")
    func replaced() throws {
        let trial = try CacheTrial(CacheLimits(minFreeBytes: 0, expiresSeconds: 60))
        try trial.add("first", as: "a")
        trial.clock.now += 59
        #expect(try trial.add("second", as: "a").bytes == 5)
        trial.clock.now += 1
        let second = try trial.add("second", as: "a")
        #expect(second.bytes == 6 && trial.files().count == 1)
        truncate(trial.cache.objects.path(of: second.object), 1)
        let third = try trial.add("the third", as: "a")
        #expect(third.bytes == 9)
        let found = try #require(try trial.cache.lookup("a"))
        #expect(CacheTrial.text(found.file) == "the third")
    }

    @Test("says whether there is room, and evicts nothing for what cannot be")
    func room() throws {
        let trial = try CacheTrial()
        try trial.add("one", as: "a")
        #expect(try trial.cache.makeRoom(bytes: 0))
        #expect(try trial.cache.makeRoom(bytes: 1000))
        #expect(try trial.cache.makeRoom(bytes: .max) == false)
        let strict = try trial.again(CacheLimits(minFreeBytes: .max))
        #expect(try trial.cache.manifest.entries().count == 1)
        #expect(try strict.makeRoom(bytes: 0) == false)
        #expect(try trial.cache.manifest.entries().isEmpty && trial.files().isEmpty)
    }

    @Test("keeps a result that is linked elsewhere when space is short: it would free none")
    func linkedElsewhere() throws {
        let trial = try CacheTrial()
        let linked = try trial.add("one", as: "a")
        try trial.add("two", as: "b")
        #expect(link(trial.cache.objects.path(of: linked.object), trial.folder.file("o")) == 0)
        let strict = try trial.again(CacheLimits(minFreeBytes: .max))
        #expect(try strict.makeRoom(bytes: 0) == false)
        #expect(try trial.cache.manifest.entries().map(\.id) == ["a"])
        unlink(trial.folder.file("o"))
        #expect(try strict.makeRoom(bytes: 0) == false)
        #expect(try trial.cache.manifest.entries().isEmpty)
    }

    @Test("lets no name reach a path", arguments: ["../../x", "a\nb", "a\u{0}b", "/etc/passwd"])
    func hostile(name: String) throws {
        let trial = try CacheTrial()
        try trial.add("text", as: name)
        #expect(try trial.cache.lookup(name) != nil)
        #expect(
            try trial.folder.names().filter { !$0.hasPrefix("takeup.db") } == [
                "access.log", "cache",
            ])
        #expect(trial.files().count == 1)
    }
}
