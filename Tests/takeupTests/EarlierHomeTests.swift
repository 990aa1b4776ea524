import Foundation
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

/// A home, a cache and a watched folder that release 1.0 left behind, with jobs in every state, an action on sources that
/// waits, and hook events that wait; `Tests/Fixtures/make-home-1.0` made them.
@Suite("What an earlier release has left")
struct EarlierHomeTests {
    /// Keys of watched files hold absolute paths.
    private static let root = "/tmp/takeup-home-1.0"

    init() throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/home-1.0.tar.gz").path
        try? FileManager.default.removeItem(atPath: Self.root)
        _ = try Subprocess.run("tar", ["-C", "/tmp", "--no-same-owner", "-xzf", fixture])
            .requireSuccess()
        try Self.makeYoung()
    }

    /// Moves all times so that the last job was accepted now: what is old is forgotten.
    private static func makeYoung() throws {
        let connection = try SQLiteConnection(
            path: "\(root)/home/takeup.sqlite", durability: .normal)
        let latest = try connection.query("SELECT max(created_at) FROM job") { $0.real(0) }
        let shift = Date().timeIntervalSince1970 - (latest.first ?? 0)
        for (table, columns) in [
            (
                "job",
                ["created_at", "run_at", "started_at", "finished_at", "lease_until"]
            ),
            ("cache_entry", ["created_at", "expires_at", "last_access_at"]),
            ("watch_hook", ["created_at", "due_at"]),
        ] {
            let changes = columns.map { "\($0) = \($0) + ?1" }.joined(separator: ", ")
            try connection.run("UPDATE \(table) SET \(changes)", [.real(shift)])
        }
        try connection.run(
            "UPDATE job SET run_at = ?1 WHERE run_at > ?1", [.real(Date().timeIntervalSince1970)])
        try recognise(in: connection)
    }

    /// Has the unpacked sources be those files that the ledger knows.
    private static func recognise(in connection: SQLiteConnection) throws {
        for path in ["one.mov", "deep/two.mov"] {
            var facts = stat()
            #expect(stat("\(root)/in/\(path)", &facts) == 0)
            let times = [facts.st_mtim, facts.st_ctim].map {
                SQLValue.integer(Int64($0.tv_sec) * 1_000_000_000 + Int64($0.tv_nsec))
            }
            for table in ["watch_file", "watch_action"] {
                let rows = try connection.run(
                    """
                    UPDATE \(table) SET device = ?2, inode = ?3, modified_ns = ?4, changed_ns = ?5
                    WHERE path = ?1
                    """,
                    [
                        .text(path), .integer(Int64(facts.st_dev)), .integer(Int64(facts.st_ino)),
                    ] + times)
                #expect(rows == 1)
            }
        }
    }

    private func run(_ line: String) throws -> Subprocess.Outcome {
        try Subprocess.run(
            BuiltProduct.path(of: "takeup"), line.split(separator: " ").map(String.init),
            environment: [
                "TAKEUP_HOME": "\(Self.root)/home", "TAKEUP_CACHE": "\(Self.root)/cache",
                "TAKEUP_CONFIG": "\(Self.root)/config.json", "XDG_DATA_HOME": "\(Self.root)/data",
            ])
    }

    private func list(_ text: String) throws -> [[String: Any]] {
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(json as? [[String: Any]])
    }

    private func states(_ text: String) throws -> [String: String] {
        let pairs = try list(text).compactMap { job in
            (job["id"] as? String).flatMap { id in (job["state"] as? String).map { (id, $0) } }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func noted(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Self.root)/\(name)", encoding: .utf8)
    }

    private func inode(_ name: String) -> UInt64? {
        var facts = stat()
        return stat("\(Self.root)/\(name)", &facts) == 0 ? UInt64(facts.st_ino) : nil
    }

    private func heard() throws -> [String] {
        try noted("heard").split(separator: "\n").compactMap { line in
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return event?["id"] as? String
        }
    }

    @Test("nothing is lost, and nothing is done twice")
    func opens() throws {
        defer { try? FileManager.default.removeItem(atPath: Self.root) }
        let before = try states(try noted("jobs.json"))
        #expect(try states(run("jobs list --json").outputText) == before)
        #expect(
            Set(before.values).isSuperset(of: [
                "queued", "scheduled", "running", "succeeded", "cached", "failed", "cancelled",
                "quarantined",
            ]))
        for id in before.keys { #expect(try run("jobs show \(id) --json").exitCode == 0) }
        let keys = ["id", "bytes", "sha256", "preset"]
        let entries = try list(run("cache list --json").outputText)
        for old in try list(noted("cache.json")) {
            let id = old["id"] as? String ?? ""
            let new = try #require(entries.first { $0["id"] as? String == id })
            for key in keys { #expect("\(new[key] ?? "")" == "\(old[key] ?? "")") }
            #expect(try run("cache get \(id)").exitCode == 0)
        }
        let outputs = ["out/one.mp4", "out/deep/two.mp4", "out1/1.mp4", "out1/again.mp4"]
        let inodes = outputs.map(inode)
        #expect(!inodes.contains(nil))

        // What was to be done is done now, once.
        try FileManager.default.removeItem(atPath: "\(Self.root)/in/done")
        try Data().write(to: URL(filePath: "\(Self.root)/heard"))
        let watched = try run("watch --once --quiet")
        #expect(watched.exitCode == 0 || watched.exitCode == 3, "\(watched.errorText)")
        // Watching that ends by itself leaves other jobs in the queue.
        #expect(try run("worker --once --quiet").exitCode == 0)
        var expected = before
        for id in ["queued", "scheduled", "running", "joined"] { expected[id] = "succeeded" }
        #expect(try states(run("jobs list --json").outputText) == expected)
        #expect(outputs.map(inode) == inodes)
        for name in ["in/done/one.mov", "in/done/deep/two.mov", "in/failed/bad.mov"] {
            #expect(inode(name) != nil, "\(name)")
        }
        for name in ["queued", "scheduled", "long", "joined"] {
            #expect(try MediaTools.probe("\(Self.root)/out1/\(name).mp4").streams.count == 2)
        }
        let events = try heard()
        #expect(events.count >= 7 && Set(events).count == events.count)
        #expect(try run("cache verify").exitCode == 0)

        // And nothing is left to do.
        let again = try run("watch --once --quiet")
        #expect(again.exitCode == watched.exitCode, "\(again.errorText)")
        #expect(try states(run("jobs list --json").outputText) == expected)
        #expect(try heard() == events)
    }
}
