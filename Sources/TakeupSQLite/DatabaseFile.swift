internal import Foundation
public import TakeupSQL

/// The file of a database that was just opened, to see later whether its name still leads to it.
///
/// A file without a name takes writes that nobody ever reads.
public struct DatabaseFile: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64

        init?(_ path: String) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
        }
    }

    private let path: String
    private let identity: Identity

    /// Notes which file a database is in.
    ///
    /// - Returns: nil for the database of a server.
    /// - Throws: `SQLError` with `.gone` for a file that has lost its name already.
    public init?(of database: any SQLDatabase) throws(SQLError) {
        guard let file = database as? SQLiteDatabase else { return nil }
        guard let identity = Identity(file.path) else { throw .gone(file.path) }
        (path, self.identity) = (file.path, identity)
    }

    public var isInPlace: Bool { Identity(path) == identity }

    /// - Throws: `SQLError` with `.gone` if the file has lost its name.
    public func requirePlace() throws(SQLError) {
        guard isInPlace else { throw .gone(path) }
    }
}
