public import TakeupSQL

/// An error of the queue's database.
public enum JobStoreError: Error, Equatable, Sendable {
    /// SQLite's locks cannot be trusted there.
    case networkFileSystem(path: String, kind: String)
    case notPermitted(path: String, reason: String)
    case store(SQLError)
    /// The file was removed or replaced, or its mount is away, while it was open.
    case gone(path: String)
    /// A row that this version cannot read.
    case unreadable(job: String, reason: String)

    /// The server does not answer now.
    public var isUnreachable: Bool {
        guard case .store(let error) = self else { return false }
        return error.isUnreachable
    }

    /// A commit was sent and not confirmed: nobody knows yet whether it took effect.
    public var isOutcomeUnknown: Bool {
        guard case .store(let error) = self else { return false }
        return error.isOutcomeUnknown
    }

    /// The disk of the database is full.
    public var isDiskFull: Bool {
        guard case .store(let error) = self else { return false }
        return error.isDiskFull
    }
}
