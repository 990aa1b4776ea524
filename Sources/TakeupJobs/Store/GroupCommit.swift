internal import Foundation
internal import TakeupLanes
internal import TakeupSQLite

/// Writes to one database from several lanes; those that wait for one that is being committed share a transaction.
///
/// A commit waits for the disk: what comes up meanwhile is committed together after it, with one sync for all of it.
final class GroupCommit: Sendable {
    typealias Body<Value> = @Sendable (Connection) throws(SQLiteError) -> Value

    /// What was asked for, and what became of it.
    private final class Write {
        let durability: Connection.Durability
        let body: Body<Void>
        var outcome: Result<Void, SQLiteError>?

        init(_ durability: Connection.Durability, _ body: @escaping Body<Void>) {
            (self.durability, self.body) = (durability, body)
        }
    }

    // One for both durabilities: each write of another connection would empty its page cache.
    private let connection: Locked<Connection>
    private let changed = NSCondition()
    // Safe: read and written under `changed` only, as the outcomes are.
    nonisolated(unsafe) private var waiting: [Write] = []
    nonisolated(unsafe) private var isCommitting = false

    init(path: String) throws(SQLiteError) {
        connection = Locked(try Connection(path: path, durability: .full))
    }

    /// Writes in a transaction, perhaps together with others, which is committed when this returns.
    ///
    /// - Parameters:
    ///   - durability: What the write needs; it gets more when another one in its transaction needs that.
    ///   - body: Changes nothing but the database, for it runs again when another write in its transaction failed.
    /// - Returns: What `body` made.
    /// - Throws: What `body` or the commit threw; then nothing of it was written.
    func write<Value: Sendable>(
        _ durability: Connection.Durability, _ body: @escaping Body<Value>
    ) throws(SQLiteError) -> Value {
        let made = Locked<Value?>(nil)
        try ended(
            Write(durability) { (connection) throws(SQLiteError) in
                let value = try body(connection)
                made.withLock { $0 = value }
            }
        ).get()
        guard let value = made.withLock({ $0 }) else {
            preconditionFailure("a write that succeeded has made its value")
        }
        return value
    }

    /// Waits for another lane to take the write along, or commits what waits.
    private func ended(_ write: Write) -> Result<Void, SQLiteError> {
        changed.lock()
        defer { changed.unlock() }
        waiting.append(write)
        while true {
            if let outcome = write.outcome { return outcome }
            if isCommitting {
                changed.wait()
            } else {
                commitWaiting()
            }
        }
    }

    /// Called with the lock, which it gives up for the disk's time.
    private func commitWaiting() {
        let writes = waiting
        (waiting, isCommitting) = ([], true)
        changed.unlock()
        let outcomes = connection.withLock { commit(writes, $0) }
        changed.lock()
        for (write, outcome) in zip(writes, outcomes) { write.outcome = outcome }
        isCommitting = false
        changed.broadcast()
    }

    private func commit(
        _ writes: [Write], _ connection: Connection
    ) -> [Result<Void, SQLiteError>] {
        do throws(SQLiteError) {
            try connection.set(writes.contains { $0.durability == .full } ? .full : .normal)
        } catch {
            return writes.map { _ in .failure(error) }
        }
        let together = attempt(writes, connection)
        guard case .failure = together, writes.count > 1 else {
            return writes.map { _ in together }
        }
        return writes.map { attempt([$0], connection) }
    }

    private func attempt(
        _ writes: [Write], _ connection: Connection
    ) -> Result<Void, SQLiteError> {
        do throws(SQLiteError) {
            try connection.transaction { () throws(SQLiteError) in
                for write in writes { try write.body(connection) }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
