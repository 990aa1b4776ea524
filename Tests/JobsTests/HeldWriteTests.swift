import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

/// Writes that go to a server together with the next statement, or with the commit.
@Suite("Held writes", .enabled(if: StoreKind.allCases.contains(.postgres)))
struct HeldWriteTests {
    private let connection: any SQLConnection
    private let observer: any SQLConnection
    private static let write = "UPDATE fruit SET count = ?1 WHERE name = ?2"

    init() throws {
        let folder = try TemporaryDirectory()
        let database = try StoreKind.postgres.database(in: folder.path)
        (connection, observer) = (try database.connect(.full), try database.connect(.full))
        try connection.execute(
            """
            CREATE TABLE fruit (name TEXT, count INTEGER CHECK (count >= 0));
            INSERT INTO fruit VALUES ('pear', 0)
            """)
        for count in 1...3 { try connection.run(Self.write, Self.values(count)) }
    }

    private static func values(_ count: Int) -> [SQLValue] {
        [.integer(Int64(count)), .text("pear")]
    }

    private func count(_ connection: any SQLConnection) throws(SQLError) -> Int64? {
        try connection.query("SELECT count FROM fruit") { $0.integer(0) }.first
    }

    /// Writes later, in a transaction that has begun.
    private func transaction(
        _ count: Int, then body: () throws(SQLError) -> Void = { () throws(SQLError) in }
    ) throws(SQLError) {
        try connection.transaction { () throws(SQLError) in
            _ = try self.count(connection)
            try connection.runLater(Self.write, Self.values(count))
            try body()
        }
    }

    @Test("what comes after a write sees it, and the commit takes it along")
    func order() throws {
        try transaction(4)
        #expect(try count(observer) == 4)
        try transaction(5) { () throws(SQLError) in
            #expect(try count(observer) == 4)
            #expect(try count(connection) == 5)
            try connection.runLater(Self.write, Self.values(6))
            try connection.runLater(Self.write, Self.values(7))
            #expect(try count(connection) == 7)
        }
        #expect(try count(observer) == 7)
        try connection.runLater(Self.write, Self.values(8))
        #expect(try count(observer) == 8)
    }

    @Test("a write that is refused at the commit makes the transaction throw, and nothing stays")
    func refused() throws {
        let error = #expect(throws: SQLError.self) {
            try transaction(4) { () throws(SQLError) in
                try connection.runLater(Self.write, Self.values(-1))
            }
        }
        #expect(error?.isConstraint == true && error?.isOutcomeUnknown == false)
        #expect(error?.statement?.hasPrefix("UPDATE fruit") == true)
        #expect(try count(observer) == 3)
        try transaction(5)
        #expect(try count(observer) == 5)
    }

    @Test("a write that is refused with the next statement makes that throw")
    func refusedBeforeAnother() throws {
        for query in 0..<3 {
            let error = #expect(throws: SQLError.self) {
                try transaction(-1) { () throws(SQLError) in _ = try count(connection) }
            }
            #expect(error?.isConstraint == true, "\(query)")
            #expect(try count(observer) == 3)
        }
    }

    @Test("a write of a transaction that is undone is not made")
    func undone() throws {
        let error = SQLError(.step, .other, code: "test", message: "undone", database: "")
        #expect(throws: error) {
            try transaction(4) { () throws(SQLError) in throw error }
        }
        #expect(try count(observer) == 3)
        // Of a transaction within: the outer one's write stays.
        try transaction(5) { () throws(SQLError) in
            try? connection.transaction { () throws(SQLError) in
                try connection.runLater(Self.write, Self.values(6))
                throw error
            }
        }
        #expect(try count(observer) == 5)
    }

    @Test("where the connection is lost, nobody knows, and what is written again stands")
    func lost() throws {
        let process = try connection.query("SELECT pg_backend_pid()") { $0.integer(0) }[0]
        let error = #expect(throws: SQLError.self) {
            try transaction(4) { () throws(SQLError) in
                _ = try observer.query(
                    "SELECT pg_terminate_backend(?1::integer, 5000)", [.integer(process)]
                ) { _ in
                }
            }
        }
        #expect(error?.isOutcomeUnknown == true)
        #expect(try count(observer) == 3)
        try transaction(5)
        #expect(try count(observer) == 5)
    }

    @Test(
        "a number comes with the next statement, or when it is read, and tells what was there before"
    )
    func number() throws {
        for number in 10...13 {
            let told = try connection.transaction(.rows) { () throws(SQLError) in
                let before = try connection.numberLater("SELECT count FROM fruit")
                try connection.run(Self.write, Self.values(number))
                let after = try connection.numberLater("SELECT count FROM fruit")
                return [try before(), try after(), try before()]
            }
            #expect(told == [number == 10 ? 3 : Int64(number - 1), Int64(number), told[0]])
        }
        #expect(try connection.numberLater("SELECT count FROM fruit")() == 13)
    }

    @Test(
        "where the connection was lost before a transaction, its begin and a number are asked for again"
    )
    func numberAgain() throws {
        for number in 4...7 {
            let process = try connection.query("SELECT pg_backend_pid()") { $0.integer(0) }[0]
            _ = try observer.query(
                "SELECT pg_terminate_backend(?1::integer, 5000)", [.integer(process)]
            ) { _ in
            }
            try connection.transaction(.rows) { () throws(SQLError) in
                let before = try connection.numberLater("SELECT count FROM fruit")
                if number.isMultiple(of: 2) { _ = try count(connection) }
                #expect(try before() == Int64(number - 1))
                try connection.runLater(Self.write, Self.values(number))
            }
        }
        #expect(try count(observer) == 7)
    }

    @Test(
        "a number that is refused makes the next statement throw, and nothing of the transaction stays"
    )
    func numberRefused() throws {
        let error = #expect(throws: SQLError.self) {
            try connection.transaction(.rows) { () throws(SQLError) in
                _ = try connection.numberLater("SELECT 1 / (count - 3) FROM fruit")
                try connection.run(Self.write, Self.values(4))
            }
        }
        #expect(error?.statement?.hasPrefix("SELECT 1") == true && error?.isOutcomeUnknown == false)
        #expect(try count(observer) == 3)
        try transaction(5)
        #expect(try count(observer) == 5)
    }

    @Test("a plan that the server has forgotten fails one transaction at most")
    func forgotten() throws {
        try connection.execute("DISCARD ALL")
        for number in 6...9 { try? transaction(number) }
        #expect(try count(observer) == 9)
        for number in 10...12 {
            try connection.execute("DISCARD ALL")
            try connection.transaction(.rows) { () throws(SQLError) in
                let before = try connection.numberLater("SELECT count FROM fruit")
                if number > 10 { #expect(try count(connection) == Int64(number - 1)) }
                #expect(try before() == Int64(number - 1))
                try connection.run(Self.write, Self.values(number))
            }
            guard number == 10 else { continue }
            // A plan was missed, so the session's settings are made again, too.
            #expect(
                try connection.query("SELECT current_setting('lock_timeout')") { $0.text(0) }
                    == ["10s"])
        }
    }
}
