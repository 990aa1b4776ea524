import TakeupLanes
import TakeupSQL

/// A database that notes what its connections are asked, in order.
struct RecordedDatabase: SQLDatabase {
    /// What went to the server.
    enum Message: Sendable {
        case script(String)
        case statement(String, [SQLValue])
    }

    let database: any SQLDatabase
    let messages = Locked<[Message]>([])

    var name: String { database.name }

    func connect(_ durability: SQLDurability) throws(SQLError) -> any SQLConnection {
        RecordedConnection(try database.connect(durability), messages)
    }

    private final class RecordedConnection: SQLConnection {
        private let connection: any SQLConnection
        private let messages: Locked<[Message]>

        init(_ connection: any SQLConnection, _ messages: Locked<[Message]>) {
            (self.connection, self.messages) = (connection, messages)
        }

        var dialect: SQLDialect { connection.dialect }
        var name: String { connection.name }
        var nesting: Int {
            get { connection.nesting }
            set { connection.nesting = newValue }
        }

        func set(_ durability: SQLDurability) throws(SQLError) { try connection.set(durability) }

        func execute(_ script: String) throws(SQLError) {
            messages.withLock { $0.append(.script(script)) }
            try connection.execute(script)
        }

        @discardableResult
        func run(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int {
            messages.withLock { $0.append(.statement(sql, values)) }
            return try connection.run(sql, values)
        }

        func runLater(_ sql: String, _ values: [SQLValue]) throws(SQLError) {
            messages.withLock { $0.append(.statement(sql, values)) }
            try connection.runLater(sql, values)
        }

        func numberLater(_ sql: String) throws(SQLError) -> () throws(SQLError) -> Int64 {
            messages.withLock { $0.append(.statement(sql, [])) }
            return try connection.numberLater(sql)
        }

        func confirm() { connection.confirm() }

        func query<Value>(
            _ sql: String, _ values: [SQLValue], _ read: (any SQLRow) -> Value
        ) throws(SQLError) -> [Value] {
            messages.withLock { $0.append(.statement(sql, values)) }
            return try connection.query(sql, values, read)
        }
    }
}
