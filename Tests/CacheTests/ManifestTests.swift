import TakeupSQL
import TestSupport
import Testing

@testable import TakeupCache

@Suite("Manifest")
struct ManifestTests {
    private func key(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 12 - digits.count) + digits
            + String(repeating: "a", count: 52)
    }

    private func entry(_ number: Int, bytes: Int64 = 10) throws -> ManifestEntry {
        let object = try #require(ObjectName(sha256: key(number), fileExtension: .mp4))
        return ManifestEntry(key: key(number), object: object, bytes: bytes, createdAt: 1000)
    }

    private func manifest(
        _ engine: TestDatabase, _ directory: borrowing TemporaryDirectory,
        _ clock: VirtualClock = VirtualClock(1000)
    ) throws -> Manifest {
        try Manifest(
            engine.database(in: directory.path),
            local: engine == .sqlite ? nil : directory.file("local.db")
        ) { clock.now }
    }

    @Test(
        "finds a recorded entry, unchanged, by its name, its key and a prefix of its key",
        arguments: TestDatabase.allCases)
    func lookup(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let manifest = try manifest(engine, directory)
        var entry = try entry(1)
        (entry.preset, entry.source) = ("1280x720", "/in/é\n.mov")
        (entry.expiresAt, entry.duration, entry.frames) = (5000, 2.5, 60)
        entry.warnings = #"[{"code":"a","message":"b"}]"#
        #expect(try manifest.record(entry, alias: "story-42", if: { _ in true }) != nil)
        entry.id = "story-42"
        #expect(try manifest.entry(named: "story-42") == entry)
        #expect(try manifest.entry(named: key(1)) == entry)
        #expect(try manifest.entry(named: String(key(1).prefix(16))) == entry)
        #expect(try manifest.entry(named: String(key(1).prefix(7))) == nil)
        #expect(try manifest.entry(named: "story-4") == nil)
        #expect(try manifest.entries() == [entry])
    }

    @Test(
        "an entry that several jobs share stays for the longest time",
        arguments: TestDatabase.allCases)
    func shared(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let manifest = try manifest(engine, directory)
        var entry = try entry(1)
        entry.expiresAt = 1003
        #expect(try manifest.record(entry, alias: "a", if: { _ in true }) != nil)
        for (time, wanted) in [(1002, 1003), (7000, 7000), (1003, 7000), (nil, nil), (8000, nil)]
            as [(Double?, Double?)]
        {
            try manifest.keep(entry.key, until: time)
            #expect(try manifest.entry(key: entry.key)?.expiresAt == wanted)
        }
    }

    @Test("refuses a beginning that fits two keys", arguments: TestDatabase.allCases)
    func ambiguous(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let manifest = try manifest(engine, directory)
        for number in [1, 2] {
            _ = try manifest.record(entry(number), alias: nil, if: { _ in true })
        }
        #expect(throws: CacheError.ambiguous(name: "00000000000")) {
            try manifest.entry(named: "00000000000")
        }
        #expect(try manifest.entry(named: "000000000002")?.key == key(2))
    }

    @Test(
        "keeps the first result of a work and adds the second one's name",
        arguments: TestDatabase.allCases)
    func second(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let manifest = try manifest(engine, directory)
        _ = try manifest.record(entry(1), alias: "a", if: { _ in true })
        var other = try entry(1)
        other.object = try #require(ObjectName(sha256: key(9), fileExtension: .m4a))
        let stands = try manifest.record(other, alias: "b", if: { _ in true })
        #expect(stands?.sha256 == key(1) && stands?.id == "a")
        #expect(try manifest.aliases(of: key(1)) == ["a", "b"])
    }

    @Test(
        "lets an expired result give way to a new one, unless it is pinned",
        arguments: TestDatabase.allCases)
    func expired(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let clock = VirtualClock(1000)
        let manifest = try manifest(engine, directory, clock)
        var (first, second) = (try entry(1), try entry(1))
        (first.expiresAt, second.createdAt) = (2000, 2000)
        _ = try manifest.record(first, alias: nil, if: { _ in true })
        clock.now = 1999.5
        #expect(try manifest.record(second, alias: nil, if: { _ in true })?.createdAt == 1000)
        clock.now = 2000
        #expect(try manifest.setPinned(true, named: key(1)))
        #expect(try manifest.record(second, alias: nil, if: { _ in true })?.createdAt == 1000)
        #expect(try manifest.setPinned(false, named: key(1)))
        #expect(try manifest.record(second, alias: nil, if: { _ in true })?.createdAt == 2000)
    }

    @Test("leads a name to the result that it was given last", arguments: TestDatabase.allCases)
    func renamed(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let manifest = try manifest(engine, directory)
        _ = try manifest.record(entry(1), alias: "story", if: { _ in true })
        _ = try manifest.record(entry(2), alias: "story", if: { _ in true })
        #expect(try manifest.entry(named: "story")?.key == key(2))
        #expect(try manifest.entry(key: key(1))?.id == key(1))
        #expect(try manifest.addAlias("again", to: key(1)))
        #expect(try manifest.entry(key: key(1))?.id == "again")
        #expect(try manifest.addAlias("none", to: "unknown") == false)
    }

    @Test("writes nothing when the fence does not hold", arguments: TestDatabase.allCases)
    func fence(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let manifest = try manifest(engine, directory)
        #expect(try manifest.record(entry(1), alias: "a", if: { _ in false }) == nil)
        #expect(try manifest.entries().isEmpty)
        // It sees what is written in the same transaction, and its error takes all back.
        let asked: SQLFence = { (connection) throws(SQLError) in
            try connection.query("SELECT count(*) FROM cache_entry") { $0.integer(0) } == [0]
        }
        #expect(try manifest.record(entry(1), alias: "a", if: asked) != nil)
        let broken: SQLFence = { (connection) throws(SQLError) in
            try connection.query("SELECT 1 FROM none") { _ in true }.isEmpty
        }
        #expect(throws: CacheError.self) {
            try manifest.record(entry(2), alias: "b", if: broken)
        }
        #expect(try manifest.entries().count == 1)
    }

    @Test("keeps hostile names as text and gives them back", arguments: TestDatabase.allCases)
    func hostile(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let manifest = try manifest(engine, directory)
        let names =
            [
                "../../etc/passwd", "a\nb", "'; DROP TABLE cache_entry; --", "%s%n", "",
                String(repeating: "x", count: 10_240), "\u{202E}fdp.exe", "/", "..",
            ] + (engine == .sqlite ? ["nul\u{0}byte"] : [])
        for (number, name) in names.enumerated() {
            _ = try manifest.record(entry(number), alias: name, if: { _ in true })
        }
        for (number, name) in names.enumerated() {
            #expect(try manifest.entry(named: name)?.key == key(number))
            #expect(try manifest.aliases(of: key(number)) == [name])
        }
    }

    @Test("has one identity, whoever opens it", arguments: TestDatabase.allCases)
    func identity(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let (first, second) = (try manifest(engine, directory), try manifest(engine, directory))
        let other = try Manifest(path: directory.file("other.db")) { 0 }
        #expect(first.databaseID == second.databaseID && !first.databaseID.isEmpty)
        #expect(first.databaseID != other.databaseID)
    }

    @Test(
        "a file that several works share counts once, until all are dropped",
        arguments: TestDatabase.allCases)
    func sharedFile(engine: TestDatabase) throws {
        let directory = try TemporaryDirectory()
        let manifest = try manifest(engine, directory)
        let first = try entry(1)
        var second = first
        second.key = key(2)
        let other = try entry(3, bytes: 7)
        for entry in [first, second, other] {
            _ = try manifest.record(entry, alias: nil, if: { _ in true })
        }
        let limits = CacheLimits()
        let full = try #require(try manifest.firstCandidates(limits, most: 10)).holdings
        #expect(full == CacheHoldings(entries: 3, bytes: 17))
        #expect(try manifest.dropRows(of: first.object) == 2)
        let left = try #require(try manifest.firstCandidates(limits, most: 10)).holdings
        #expect(left == CacheHoldings(entries: 1, bytes: 7))
    }

    @Test("refuses names for files that are no hash", arguments: ["", "../x", "A", "\u{0}"])
    func objectNames(text: String) {
        #expect(ObjectName(sha256: text, fileExtension: .mp4) == nil)
        let padded = text + String(repeating: "A", count: max(0, 64 - text.utf8.count))
        #expect(ObjectName(sha256: padded, fileExtension: .mp4) == nil)
    }
}
