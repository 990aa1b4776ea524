import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

/// Statements that a server has planned once.
@Suite("Prepared statements", .enabled(if: StoreKind.allCases.contains(.postgres)))
struct PreparedStatementTests {
    private func database() throws -> any SQLDatabase {
        let folder = try TemporaryDirectory()
        return try StoreKind.postgres.database(in: folder.path)
    }

    private func planned(_ connection: any SQLConnection) throws -> Int64 {
        try connection.query("SELECT count(*) FROM pg_prepared_statements", []) { $0.integer(0) }[0]
    }

    @Test("a statement is planned when it is used again, for each form of its values")
    func again() throws {
        let connection = try database().connect(.full)
        let before = try planned(connection)
        func ask(_ value: SQLValue) throws -> String? {
            try connection.query("SELECT ?1 || 'x'", [value]) { $0.optionalText(0) }[0]
        }
        for _ in 0..<3 { #expect(try ask(.text("a")) == "ax") }
        #expect(try ask(.null) == nil && ask(.text("b")) == "bx")
        // The count itself is one by now.
        #expect(try planned(connection) - before <= 2 && planned(connection) > before)
    }

    @Test("a statement works after its table has changed")
    func changed() throws {
        let connection = try database().connect(.full)
        try connection.execute("CREATE TABLE fruit (name TEXT); INSERT INTO fruit VALUES ('pear')")
        func names() throws -> [String] {
            try connection.query("SELECT * FROM fruit", []) { $0.text(0) }
        }
        for _ in 0..<3 { #expect(try names() == ["pear"]) }
        try connection.execute("ALTER TABLE fruit ALTER COLUMN name TYPE VARCHAR(9)")
        #expect(try names() == ["pear"])
        try connection.execute("DEALLOCATE ALL")
        #expect(try names() == ["pear"])
    }

    @Test("texts that differ each time fill no server")
    func many() throws {
        let connection = try database().connect(.full)
        for number in 0..<600 {
            for _ in 0..<3 { _ = try connection.query("SELECT \(number)", []) { $0.integer(0) } }
        }
        #expect(try planned(connection) <= 201)
    }
}
