import Foundation
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@testable import TakeupJobs

@Suite("Job store in SQLite")
struct SQLJobStoreTests {
    private func mode(_ path: String) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(facts[.posixPermissions] as? Int)
    }

    @Test("makes a file and a folder that are the user's alone")
    func modes() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("new/deep/takeup.db")
        let store = try SQLJobStore(path: path)
        #expect(try store.submit([StoreTrial.spec("a")]) == [.accepted])
        #expect(try mode(directory.file("new/deep")) == 0o700)
        #expect(try mode(path) == 0o600)
        #expect(try mode("\(path)-wal") == 0o600)
        #expect(try mode("\(path)-shm") == 0o600)
    }

    @Test("refuses a network file system before it makes a file")
    func network() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("takeup.db")
        let folder = directory.path
        #expect(throws: JobStoreError.networkFileSystem(path: path, kind: "NFS")) {
            try SQLJobStore(path: path, kind: { $0 == folder ? "NFS" : nil })
        }
        #expect(try directory.names() == [])
    }

    @Test("says that a file is damaged")
    func damaged() throws {
        let directory = try TemporaryDirectory()
        let bytes = Data(repeating: 0x5A, count: 8192)
        let path = try directory.write(bytes, to: "takeup.db")
        let failure = #expect(throws: JobStoreError.self) { try SQLJobStore(path: path) }
        guard case .store(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.isDamaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test("says which place may not be written to")
    func notPermitted() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("folder"), withIntermediateDirectories: false)
        try directory.write(Data(), to: "file")
        for name in ["folder", "file/takeup.db"] {
            let failure = #expect(throws: JobStoreError.self) {
                try SQLJobStore(path: directory.file(name))
            }
            guard case .notPermitted(let path, let reason) = failure else {
                Issue.record("\(name): \(String(describing: failure))")
                continue
            }
            #expect(directory.file(name).hasPrefix(path) && !reason.isEmpty)
        }
    }

    @Test("follows no symbolic link of its name, and takes no other user's file")
    func foreign() throws {
        let directory = try TemporaryDirectory()
        let target = try directory.write(Data("private".utf8), to: "target")
        let path = directory.file("takeup.db")
        for leads in [target, directory.file("nowhere")] {
            symlink(leads, path)
            #expect(
                throws: JobStoreError.notPermitted(path: path, reason: "it is a symbolic link")
            ) { try SQLJobStore(path: path) }
            #expect(throws: SQLError.self) { try SQLiteConnection(path: path, durability: .full) }
            unlink(path)
        }
        #expect(try directory.names() == ["target"])
        // Links of folders above are followed.
        symlink(directory.path, directory.file("link"))
        _ = try SQLJobStore(path: directory.file("link/real.db"))
        #expect(FileManager.default.fileExists(atPath: directory.file("real.db")))
        guard geteuid() == 0 else { return }
        try directory.write(Data(), to: "other.db")
        chown(directory.file("other.db"), 65534, 65534)
        let other = directory.file("other.db")
        #expect(
            throws: JobStoreError.notPermitted(path: other, reason: "it belongs to another user")
        ) { try SQLJobStore(path: other) }
    }

    @Test(
        "refuses a folder and a file that are read-only",
        .enabled(if: geteuid() != 0, "root may write everywhere"))
    func readOnly() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Data(), to: "takeup.db")
        #expect(chmod(path, 0o400) == 0)
        #expect(throws: JobStoreError.self) { try SQLJobStore(path: path) }
        #expect(chmod(directory.path, 0o500) == 0)
        defer { chmod(directory.path, 0o700) }
        #expect(throws: JobStoreError.self) {
            try SQLJobStore(path: directory.file("other.db"))
        }
    }

    @Test("jobs of earlier versions are found by their files, too", arguments: StoreKind.allCases)
    func searchOfOldRows(kind: StoreKind) throws {
        let directory = try TemporaryDirectory()
        let database = try kind.database(in: directory.path)
        let specs = [
            #"{"request":{"composition":{"tracks":[{"segments":[{"source":"/in/A \"b\".mov"}]}]}}}"#,
            #"{"sources":["https://example.com/c.mov?key=a/b","/in/d.mov"]}"#, "no JSON", "{}",
        ]
        let scripts =
            kind == .sqlite
            ? [
                PackageResources.migration_0001_jobs_sql,
                PackageResources.migration_0002_clocks_and_lists_sql,
            ] : [PackageResources.postgres_0001_jobs_sql]
        let connection = try database.connect(.full)
        try Migrator(owner: "jobs", scripts: scripts.map { String(decoding: $0, as: UTF8.self) })
            .migrate(connection)
        for (index, spec) in specs.enumerated() {
            try connection.run(
                """
                INSERT INTO job (id, spec, state, priority, retries, created_at, run_at)
                VALUES (?1, ?2, 'queued', 0, 0, 1, 1)
                """, [.text("j\(index)"), .text(spec)])
        }
        _ = try SQLJobStore(database)
        let rows = try connection.query(
            "SELECT coalesce(place, ''), coalesce(file, '') FROM job ORDER BY sequence", []
        ) { "\($0.text(0)) \($0.text(1))" }
        #expect(
            rows == ["/in/a \"b\".mov a \"b\".mov", "https://example.com/c.mov c.mov", " ", " "])
    }

    @Test("refuses a database of a later version")
    func later() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("takeup.db")
        _ = try SQLJobStore(path: path)
        let connection = try SQLiteConnection(path: path, durability: .full)
        try connection.run("UPDATE migration SET version = 99 WHERE owner = 'jobs'")
        let failure = #expect(throws: JobStoreError.self) { try SQLJobStore(path: path) }
        guard case .store(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.operation == .migrate)
    }

    @Test("keeps what was submitted over a close, and lets another owner's tables be")
    func reopens() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("takeup.db")
        let other = try SQLiteConnection(path: path, durability: .full)
        try Migrator(owner: "other", scripts: ["CREATE TABLE other (a) "]).migrate(other)
        #expect(try SQLJobStore(path: path).submit([StoreTrial.spec("a")]) == [.accepted])
        #expect(
            try SQLJobStore(path: path).submit([StoreTrial.spec("a")])
                == [.duplicate(.queued)])
    }

    @Test("keeps the locks of a database that the process has open already")
    func keepsLocks() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("takeup.db")
        let first = try SQLJobStore(path: path)
        let before = try locks(on: path)
        #expect(!before.isEmpty)
        let second = try SQLJobStore(path: path)
        #expect(try locks(on: path) == before)
        #expect(try first.counts() == second.counts())
    }

    /// The kernel's lines for the locks that are held on a file.
    ///
    /// Foundation takes a short read for the end, and the kernel gives its table in pieces; a reading passes lines over
    /// while others take and drop locks, so what any of several shows is held.
    private func locks(on path: String) throws -> Set<String> {
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        let inode = try #require(facts[.systemFileNumber] as? Int)
        var lines: Set<String> = []
        for _ in 0..<20 {
            let table = try #require(FileHandle(forReadingAtPath: "/proc/locks"))
            var text = Data()
            while let piece = try table.read(upToCount: 65_536), !piece.isEmpty { text += piece }
            for line in String(decoding: text, as: UTF8.self).split(separator: "\n")
            where line.contains(":\(inode) ") {
                lines.insert(line.split(separator: " ").dropFirst().joined(separator: " "))
            }
        }
        return lines
    }

    @Test("a list counts the jobs that it cannot read")
    func unreadableRows() throws {
        let trial = try StoreTrial(.sqlite)
        _ = try trial.store.submit([StoreTrial.spec("bad"), StoreTrial.spec("good")])
        let other = try SQLiteConnection(path: trial.folder.file("takeup.db"), durability: .full)
        try other.run("UPDATE job SET spec = '{}' WHERE id = 'bad'")
        let page = try trial.store.list(JobListing(limit: 10))
        #expect(page.records.map(\.spec.id.rawValue) == ["good"])
        #expect(page.unreadable == 1)
    }

    @Test("sets aside a job that it cannot read, and goes on with the next")
    func unreadable() throws {
        let trial = try StoreTrial(.sqlite)
        _ = try trial.store.submit([StoreTrial.spec("bad"), StoreTrial.spec("good")])
        let other = try SQLiteConnection(path: trial.folder.file("takeup.db"), durability: .full)
        try other.run("UPDATE job SET spec = '{}' WHERE id = 'bad'")
        #expect(throws: JobStoreError.self) { try trial.claim() }
        let next = try #require(try trial.claim())
        #expect(next.job.rawValue == "good")
        #expect(try trial.store.counts() == [.failed: 1, .running: 1])
    }
}
