public import TakeupSQL

/// A database in one file.
public struct SQLiteDatabase: SQLDatabase {
    public let path: String

    public init(path: String) { self.path = path }

    public var name: String { path }

    public func connect(_ durability: SQLDurability) throws(SQLError) -> any SQLConnection {
        try SQLiteConnection(path: path, durability: durability)
    }
}
