import Foundation
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@testable import TakeupCache

@Suite("A cache that can only be read")
struct ReadOnlyCacheTests {
    @Test("gives its results, counts in the database alone, and repairs nothing")
    func folder() throws {
        let trial = try CacheTrial()
        try trial.add("text", as: "a")
        let lost = try trial.add("lost", as: "b")
        unlink(trial.cache.objects.path(of: lost.object))
        let manifest = try Manifest(path: trial.folder.file("takeup.db")) { 1_000_000 }
        let directory = try LocalObjects(
            reading: trial.cache.objects.path, manifest: manifest)
        let cache = MediaCache(objects: directory, manifest: manifest, limits: CacheLimits())
        #expect(try cache.lookup("a").map { CacheTrial.text($0.file) } == "text")
        #expect(try cache.lookup("b") == nil)
        #expect(try manifest.entries().count == 2)
        let statistics = try cache.statistics()
        #expect((statistics.hits, statistics.misses, statistics.entries) == (1, 1, 2))
    }

    @Test("a database that can only be read counts nothing, also without the index of its log")
    func database() throws {
        let trial = try CacheTrial()
        try trial.add("text", as: "a")
        let path = trial.folder.file("takeup.db")
        let copy = trial.folder.file("copy.db")
        try SQLiteConnection(path: path, durability: .normal).run("VACUUM INTO ?1", [.text(copy)])
        let manifest = try Manifest(reading: copy) { 1_000_000 }
        let directory = try LocalObjects(
            reading: trial.cache.objects.path, manifest: manifest)
        let cache = MediaCache(objects: directory, manifest: manifest, limits: CacheLimits())
        #expect(try cache.lookup("a") != nil && cache.lookup("b") == nil)
        #expect(try cache.statistics().hits == 0)
        #expect(throws: CacheError.self) { try manifest.setPinned(true, named: "a") }
        #expect(!FileManager.default.fileExists(atPath: "\(copy)-wal"))
    }

    @Test("is refused like any other when it is not the database's")
    func foreign() throws {
        let trial = try CacheTrial()
        let path = trial.cache.objects.path
        let other = try Manifest(path: trial.folder.file("other.db")) { 0 }
        let owner = trial.cache.manifest.databaseID
        #expect(throws: CacheError.foreign(path: path, owner: owner)) {
            try LocalObjects(reading: path, manifest: other)
        }
        #expect(throws: CacheError.notKnown(path: "\(path)2", .absent, lastPath: path)) {
            try LocalObjects(reading: "\(path)2", manifest: trial.cache.manifest)
        }
    }

    @Test("a shared file system is refused before anything is made")
    func shared() throws {
        let folder = try TemporaryDirectory()
        let manifest = try Manifest(path: folder.file("takeup.db")) { 0 }
        let (path, above) = (folder.file("a/cache"), folder.path)
        #expect(throws: CacheError.sharedFileSystem(path: path, kind: "GFS2")) {
            try LocalObjects(path: path, manifest: manifest, kind: { $0 == above ? "GFS2" : nil })
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("a")))
    }
}
