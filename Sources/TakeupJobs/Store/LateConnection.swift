internal import TakeupSQL

/// A connection to a server that is opened when it is first used: many processes only look, and a server has few places.
final class LateConnection: SQLConnection {
    let dialect = SQLDialect.postgres
    private let database: any SQLDatabase
    private let durability: SQLDurability
    private var opened: (any SQLConnection)?

    init(_ database: any SQLDatabase, _ durability: SQLDurability) {
        (self.database, self.durability) = (database, durability)
    }

    var name: String { database.name }

    var nesting: Int {
        get { opened?.nesting ?? 0 }
        set { opened?.nesting = newValue }
    }

    private func connection() throws(SQLError) -> any SQLConnection {
        if let opened { return opened }
        let connection = try database.connect(durability)
        opened = connection
        return connection
    }

    func set(_ durability: SQLDurability) throws(SQLError) { try connection().set(durability) }

    func execute(_ script: String) throws(SQLError) { try connection().execute(script) }

    @discardableResult
    func run(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int {
        try connection().run(sql, values)
    }

    func runLater(_ sql: String, _ values: [SQLValue]) throws(SQLError) {
        try connection().runLater(sql, values)
    }

    func numberLater(_ sql: String) throws(SQLError) -> () throws(SQLError) -> Int64 {
        try connection().numberLater(sql)
    }

    func confirm() { opened?.confirm() }

    func alone<Value>(_ body: () throws(SQLError) -> Value) throws(SQLError) -> Value {
        try connection().alone(body)
    }

    func query<Value>(
        _ sql: String, _ values: [SQLValue], _ read: (any SQLRow) -> Value
    ) throws(SQLError) -> [Value] {
        try connection().query(sql, values, read)
    }
}
