import Foundation
import TakeupCache
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@Suite("The cache's folder")
struct CacheFolderTests {
    /// Opens a cache as a worker does at its start.
    private static func start(
        _ folder: borrowing TemporaryDirectory, cache: String = "cache",
        database: String = "takeup.db", adopting: Bool = false
    ) throws -> (MediaCache, String) {
        let cache = try MediaCache(
            path: folder.file(cache),
            manifest: try Manifest(path: folder.file(database)) { 1_000_000 },
            limits: CacheLimits(minFreeBytes: 0), adopting: adopting)
        return (cache, "\(try cache.reconcile())")
    }

    private static func failure(
        _ folder: borrowing TemporaryDirectory, cache: String = "cache",
        database: String = "takeup.db"
    ) -> CacheError? {
        do {
            _ = try start(folder, cache: cache, database: database)
            return nil
        } catch {
            return error as? CacheError
        }
    }

    /// A cache with three results, closed again.
    private static func fill(_ folder: borrowing TemporaryDirectory) throws {
        let (cache, _) = try start(folder)
        for name in ["a", "b", "c"] {
            try CacheTrial.add("content of \(name)", as: name, to: cache, at: 0)
        }
    }

    private static func results(
        _ folder: borrowing TemporaryDirectory, cache: String = "cache", adopting: Bool = false
    ) throws -> Int {
        let (cache, _) = try start(folder, cache: cache, adopting: adopting)
        return try ["a", "b", "c"].filter { try cache.lookup($0) != nil }.count
    }

    private static func run(_ sql: String, _ path: String) throws {
        try SQLiteConnection(path: path, durability: .normal).run(sql)
    }

    @Test("a folder that goes away while it is open costs no result")
    func goesAway() throws {
        let trial = try CacheTrial(CacheLimits(maxEntries: 1, minFreeBytes: 0))
        for name in ["a", "b"] { try CacheTrial.add(name, as: name, to: trial.cache, at: 0) }
        let cache = trial.cache
        let (path, away) = (trial.folder.file("cache"), trial.folder.file("away"))
        try FileManager.default.copyItem(atPath: "\(path)/objects", toPath: away)
        try FileManager.default.removeItem(atPath: "\(path)/objects")
        for work: () throws -> Void in [
            { _ = try cache.lookup("a") }, { _ = try cache.clean() },
            { _ = try cache.remove("a") }, { _ = try cache.verify(repairing: true) },
            { _ = try cache.reconcile() }, { try CacheTrial.add("c", as: "c", to: cache, at: 0) },
            { try cache.requirePlace() },
        ] {
            #expect(throws: CacheError.gone(path: path)) { try work() }
        }
        #expect(try trial.cache.manifest.entries().count == 2)
        rename(away, "\(path)/objects")
        #expect(try trial.again().lookup("a") != nil)
    }

    @Test("a database that goes away while it is open takes no write")
    func databaseGoesAway() throws {
        let trial = try CacheTrial()
        let entry = try CacheTrial.add("a", as: "a", to: trial.cache, at: 0)
        let (cache, path) = (trial.cache, trial.folder.file("takeup.db"))
        rename(path, trial.folder.file("away"))
        #expect(throws: CacheError.store(.gone(path))) {
            _ = try cache.manifest.setPinned(true, named: entry.key)
        }
        #expect(throws: CacheError.store(.gone(path))) { try cache.requirePlace() }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a disk that is not mounted costs no result: nothing is dropped, made or removed")
    func unmounted() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        let path = folder.file("cache")
        rename(path, folder.file("disk"))
        #expect(Self.failure(folder) == .notKnown(path: path, .absent, lastPath: path))
        #expect(!FileManager.default.fileExists(atPath: path))
        mkdir(path, 0o700)
        #expect(Self.failure(folder) == .notKnown(path: path, .empty, lastPath: path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        rmdir(path)
        rename(folder.file("disk"), path)
        #expect(try Self.results(folder) == 3)
    }

    @Test("the folder may lie elsewhere: its identity counts, not its path")
    func moved() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        rename(folder.file("cache"), folder.file("other"))
        #expect(try Self.results(folder, cache: "other") == 3)
        let path = folder.file("cache")
        #expect(
            Self.failure(folder)
                == .notKnown(path: path, .absent, lastPath: folder.file("other")))
    }

    @Test("a folder of another database is refused, and so is a second folder of the same one")
    func foreign() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        let owner = try Manifest(path: folder.file("takeup.db")) { 0 }.databaseID
        let path = folder.file("cache")
        #expect(
            Self.failure(folder, database: "new.db") == .foreign(path: path, owner: owner))
        _ = try Self.start(folder, cache: "second", database: "new.db")
        let second = folder.file("second")
        guard case .foreign(second, _) = Self.failure(folder, cache: "second") else {
            Issue.record("the second folder was taken")
            return
        }
        #expect(
            Self.failure(folder, cache: "third")
                == .notKnown(path: folder.file("third"), .absent, lastPath: path))
        #expect(try Self.results(folder) == 3)
    }

    @Test("an owner that was lost is missed, also by a new database")
    func ownerless() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        let path = folder.file("cache")
        unlink("\(path)/owner")
        #expect(Self.failure(folder) == .notKnown(path: path, .ownerless, lastPath: path))
        #expect(
            Self.failure(folder, database: "new.db")
                == .notKnown(path: path, .ownerless, lastPath: nil))
        #expect(try Self.results(folder, adopting: true) == 3)
        #expect(try Self.results(folder) == 3)
    }

    @Test("a disk below the folder that is not mounted is missed as well")
    func objectsAway() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        let path = folder.file("cache")
        rename("\(path)/objects", folder.file("objects"))
        #expect(Self.failure(folder) == .notKnown(path: path, .emptied, lastPath: path))
        mkdir("\(path)/objects", 0o700)
        #expect(Self.failure(folder) == .notKnown(path: path, .emptied, lastPath: path))
        rmdir("\(path)/objects")
        rename(folder.file("objects"), "\(path)/objects")
        #expect(try Self.results(folder) == 3)
    }

    @Test("one result whose file is gone is dropped, and the others stay")
    func oneGone() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        let (cache, _) = try Self.start(folder)
        let entry = try #require(try cache.lookup("a")).file
        unlink(entry.path)
        #expect(try Self.start(folder).1 == "1 entries without their file dropped")
        #expect(try Self.results(folder) == 2)
    }

    @Test("database and folder of an older version find each other once, if the results are there")
    func upgrade() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        let (path, database) = (folder.file("cache"), folder.file("takeup.db"))
        let owner = try Manifest(path: database) { 0 }.databaseID
        func makeOld() throws {
            try Self.run("UPDATE cache_database SET folder = NULL, folder_path = NULL", database)
            try Data("\(owner)\n".utf8).write(to: URL(filePath: "\(path)/owner"))
        }
        try makeOld()
        rename(path, folder.file("disk"))
        #expect(Self.failure(folder) == .notKnown(path: path, .absent, lastPath: nil))
        mkdir(path, 0o700)
        #expect(Self.failure(folder) == .notKnown(path: path, .empty, lastPath: nil))
        // What the old version left below the mount point, when it was started there once.
        try Data("\(owner)\n".utf8).write(to: URL(filePath: "\(path)/owner"))
        #expect(Self.failure(folder) == .notKnown(path: path, .emptied, lastPath: nil))
        try FileManager.default.removeItem(atPath: path)
        rename(folder.file("disk"), path)
        #expect(try Self.results(folder) == 3)
        let marked = try String(contentsOfFile: "\(path)/owner", encoding: .utf8)
        #expect(marked.hasPrefix("\(owner)\n") && marked.split(separator: "\n").count == 2)
        // A kill behind the first of the two writes.
        try Self.run("UPDATE cache_database SET folder = NULL", database)
        #expect(try Self.results(folder) == 3)
        #expect(try String(contentsOfFile: "\(path)/owner", encoding: .utf8) == marked)
    }

    @Test("what is adopted by mistake can be given back: files are set aside, not removed")
    func adopted() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        let (_, found) = try Self.start(folder, database: "new.db", adopting: true)
        #expect(found == "3 files without an entry set aside in orphans, for 30 days")
        let other = try Manifest(path: folder.file("new.db")) { 0 }.databaseID
        #expect(Self.failure(folder) == .foreign(path: folder.file("cache"), owner: other))
        let (_, back) = try Self.start(folder, adopting: true)
        #expect(back == "3 files of entries brought back")
        #expect(try Self.results(folder) == 3)
        #expect(Self.failure(folder, database: "new.db") != nil)
    }

    @Test("a cache that is empty on purpose is adopted, and its entries are forgotten")
    func begun() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(folder)
        try FileManager.default.removeItem(atPath: folder.file("cache"))
        #expect(Self.failure(folder) != nil)
        let (cache, found) = try Self.start(folder, adopting: true)
        #expect(found == "3 entries without their file dropped")
        try CacheTrial.add("content of a", as: "a", to: cache, at: 0)
        #expect(try Self.results(folder) == 1)
    }

    @Test("a process whose cache is the database's no more changes no row")
    func disowned() throws {
        let folder = try TemporaryDirectory()
        let (old, _) = try Self.start(folder)
        try CacheTrial.add("content of a", as: "a", to: old, at: 0)
        let (new, found) = try Self.start(folder, cache: "other", adopting: true)
        #expect(found == "1 entries without their file dropped")
        let kept = try CacheTrial.add("content of b", as: "b", to: new, at: 0)
        let refusal = CacheError.notKnown(
            path: folder.file("cache"), .another, lastPath: folder.file("other"))
        #expect(throws: refusal) { try CacheTrial.add("content of c", as: "c", to: old, at: 0) }
        #expect(throws: refusal) { try old.lookup("b") }
        #expect(throws: refusal) { try old.reconcile() }
        #expect(try new.manifest.entries().map(\.key) == [kept.key])
        #expect(try new.lookup("b") != nil)
    }
}
