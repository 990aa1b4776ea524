import Foundation
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@Suite("Transactions inside transactions")
struct NestedTransactionTests {
    private static let refusal = SQLError(.step, .other, code: "test", message: "no", database: "")

    private func values(_ connection: any SQLConnection) throws -> [Int64] {
        try connection.query("SELECT value FROM note ORDER BY value") { $0.integer(0) }
    }

    @Test("an error that is caught takes back what the inner one wrote, and nothing else")
    func caught() throws {
        let folder = try TemporaryDirectory()
        let connection = try SQLiteDatabase(path: folder.file("a.sqlite")).connect(.full)
        try connection.execute("CREATE TABLE note (value INTEGER NOT NULL UNIQUE)")
        try connection.transaction { () throws(SQLError) in
            try connection.run("INSERT INTO note VALUES (1)")
            try? connection.transaction { () throws(SQLError) in
                try connection.run("INSERT INTO note VALUES (2)")
                try connection.transaction { () throws(SQLError) in
                    _ = try connection.run("INSERT INTO note VALUES (3)")
                }
                throw Self.refusal
            }
            try? connection.transaction { () throws(SQLError) in
                try connection.run("INSERT INTO note VALUES (4)")
                // A rule of the table.
                _ = try connection.run("INSERT INTO note VALUES (1)")
            }
            try connection.run("INSERT INTO note VALUES (5)")
        }
        #expect(try values(connection) == [1, 5])
        #expect(throws: SQLError.self) {
            try connection.transaction { () throws(SQLError) in
                try connection.run("INSERT INTO note VALUES (6)")
                throw Self.refusal
            }
        }
        #expect(try values(connection) == [1, 5])
    }

    @Test("nothing is written outside of a transaction that the engine itself took back")
    func takenBack() throws {
        let folder = try TemporaryDirectory()
        let connection = try SQLiteDatabase(path: folder.file("a.sqlite")).connect(.full)
        try connection.execute("CREATE TABLE note (value INTEGER NOT NULL UNIQUE)")
        #expect(throws: SQLError.self) {
            try connection.transaction { () throws(SQLError) in
                try connection.run("INSERT INTO note VALUES (1)")
                try? connection.transaction { () throws(SQLError) in
                    // As a full disk does.
                    _ = try connection.run("INSERT OR ROLLBACK INTO note VALUES (1)")
                }
                // A savepoint would begin a transaction of its own.
                try? connection.transaction { () throws(SQLError) in
                    _ = try connection.run("INSERT INTO note VALUES (3)")
                }
                try connection.run("INSERT INTO note VALUES (2)")
            }
        }
        #expect(try values(connection).isEmpty)
        try connection.transaction { () throws(SQLError) in
            _ = try connection.run("INSERT INTO note VALUES (7)")
        }
        #expect(try values(connection) == [7])
    }
}
