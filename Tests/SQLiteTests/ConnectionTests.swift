import Foundation
import TakeupLanes
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@Suite("SQLite connection")
struct ConnectionTests {
    private struct Values: Equatable {
        let integer: Int64
        let real: Double
        let text: String
        let isNull: Bool
        let empty: String?
    }

    private func connection(_ directory: borrowing TemporaryDirectory) throws -> SQLiteConnection {
        try SQLiteConnection(path: directory.file("a.db"), durability: .full)
    }

    @Test("returns every kind of value as it was bound")
    func values() throws {
        let directory = try TemporaryDirectory()
        let connection = try connection(directory)
        let values: [SQLValue] = [
            .integer(Int64.min), .real(1.5), .text("né\u{0}w\n"), .null, .text(""),
        ]
        let rows = try connection.query("SELECT ?1, ?2, ?3, ?4, ?5", values) { row in
            Values(
                integer: row.integer(0), real: row.real(1), text: row.text(2),
                isNull: row.isNull(3), empty: row.optionalText(4))
        }
        let expected = Values(
            integer: Int64.min, real: 1.5, text: "né\u{0}w\n", isNull: true, empty: "")
        #expect(rows == [expected])
    }

    @Test("opens a new database for whoever comes at the same time")
    func manyOpeners() throws {
        let directory = try TemporaryDirectory()
        let errors = Locked<[String]>([])
        // About one in three hundred meets another in the middle of its change of the log.
        for round in 0..<200 {
            let path = directory.file("\(round).db")
            let group = LaneGroup()
            for number in 0..<16 {
                group.start("open \(number)") {
                    do {
                        _ = try SQLiteConnection(path: path, durability: .full)
                    } catch {
                        errors.withLock { $0.append("\(error)") }
                    }
                }
            }
            group.wait()
        }
        #expect(errors.withLock { $0 } == [])
    }

    @Test("takes back everything that a failed transaction wrote")
    func rollback() throws {
        let directory = try TemporaryDirectory()
        let connection = try connection(directory)
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        let failure = #expect(throws: SQLError.self) {
            try connection.transaction { () throws(SQLError) in
                try connection.run("INSERT INTO t VALUES (1)")
                try connection.run("INSERT INTO t VALUES (1)")
            }
        }
        #expect(failure?.isConstraint == true)
        #expect(try connection.query("SELECT count(*) FROM t") { $0.integer(0) } == [0])
        try connection.transaction { () throws(SQLError) in
            try connection.run("INSERT INTO t VALUES (2)")
        }
        #expect(connection.changedRows == 1)
    }

    @Test("says that a file is no database")
    func damaged() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Data("no database at all".utf8), to: "bad.db")
        let failure = #expect(throws: SQLError.self) {
            try SQLiteConnection(path: path, durability: .full)
        }
        #expect(failure?.isDamaged == true)
    }
}

@Suite("Migrator")
struct MigratorTests {
    @Test("runs each script once, and refuses a database of a later version")
    func once() throws {
        let directory = try TemporaryDirectory()
        let connection = try SQLiteConnection(path: directory.file("m.db"), durability: .full)
        let first = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)"
        try Migrator(owner: "jobs", scripts: [first]).migrate(connection)
        let both = Migrator(owner: "jobs", scripts: [first, "INSERT INTO a VALUES (2)"])
        try both.migrate(connection)
        try both.migrate(connection)
        #expect(try connection.query("SELECT x FROM a ORDER BY x") { $0.integer(0) } == [1, 2])
        let failure = #expect(throws: SQLError.self) {
            try Migrator(owner: "jobs", scripts: [first]).migrate(connection)
        }
        #expect(failure?.operation == .migrate)
    }
}
