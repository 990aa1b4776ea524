internal import Foundation
internal import TakeupLanes
internal import TakeupSQL
internal import TakeupSQLite

/// Writes to one database from several lanes; those that wait for one that is being committed share a transaction.
///
/// A commit waits for the disk: what comes up meanwhile is committed together after it, with one sync for all of it.
final class GroupCommit: Sendable {
    typealias Body<Value> = @Sendable (any SQLConnection) throws(SQLError) -> Value

    /// What was asked for, and what became of it.
    private final class Write {
        let durability: SQLDurability
        let locking: SQLLocking
        let body: Body<Void>
        var outcome: Result<Void, SQLError>?

        init(_ durability: SQLDurability, _ locking: SQLLocking, _ body: @escaping Body<Void>) {
            (self.durability, self.locking, self.body) = (durability, locking, body)
        }
    }

    // One for both durabilities: each write of another connection would empty its page cache.
    private let connection: Locked<any SQLConnection>
    private let changed = NSCondition()
    // Safe: read and written under `changed` only, as the outcomes are.
    nonisolated(unsafe) private var waiting: [Write] = []
    nonisolated(unsafe) private var use = (isTaken: false, hasWritten: false)

    init(_ connection: sending any SQLConnection) { self.connection = Locked(connection) }

    /// Writes in a transaction, perhaps together with others, which is committed when this returns.
    ///
    /// - Parameters:
    ///   - durability: What the write needs; it gets more when another one in its transaction needs that.
    ///   - locking: What else may be written at the same time; it gets the most that one in its transaction needs.
    ///   - body: Changes nothing but the database, for it runs again when another write in its transaction failed, and when
    ///     nobody knows whether its commit took effect: then it has to find out.
    /// - Returns: What `body` made.
    /// - Throws: What `body` or the commit threw; then nothing of it was written, unless the error has `isOutcomeUnknown`.
    func write<Value: Sendable>(
        _ durability: SQLDurability, _ locking: SQLLocking = .writers,
        _ body: @escaping Body<Value>
    ) throws(SQLError) -> Value {
        let made = Locked<Value?>(nil)
        try ended(
            Write(durability, locking) { (connection) throws(SQLError) in
                let value = try body(connection)
                made.withLock { $0 = value }
            }
        ).get()
        guard let value = made.withLock({ $0 }) else {
            preconditionFailure("a write that succeeded has made its value")
        }
        return value
    }

    /// Reads on the connection that writes, if nothing is being written and something was before; nil otherwise.
    ///
    /// A server keeps what it knows of the tables for each connection: what a write follows is read faster there. Nobody
    /// waits for a commit here, which may wait for a standby.
    func look<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(SQLError) -> Value? {
        let isMine = changed.withLock {
            guard use.hasWritten, !use.isTaken else { return false }
            use.isTaken = true
            return true
        }
        guard isMine else { return nil }
        defer {
            changed.withLock {
                use.isTaken = false
                changed.broadcast()
            }
        }
        return try connection.withLock { (connection) throws(SQLError) in try body(connection) }
    }

    /// Waits for another lane to take the write along, or commits what waits.
    private func ended(_ write: Write) -> Result<Void, SQLError> {
        changed.lock()
        defer { changed.unlock() }
        waiting.append(write)
        while true {
            if let outcome = write.outcome { return outcome }
            if use.isTaken {
                changed.wait()
            } else {
                commitWaiting()
            }
        }
    }

    /// Called with the lock, which it gives up for the disk's time.
    private func commitWaiting() {
        let writes = waiting
        (waiting, use.isTaken) = ([], true)
        changed.unlock()
        let outcomes = connection.withLock { commit(writes, $0) }
        changed.lock()
        for (write, outcome) in zip(writes, outcomes) { write.outcome = outcome }
        use.isTaken = false
        if outcomes.contains(where: { (try? $0.get()) != nil }) { use.hasWritten = true }
        changed.broadcast()
    }

    private func commit(
        _ writes: [Write], _ connection: any SQLConnection
    ) -> [Result<Void, SQLError>] {
        do throws(SQLError) {
            try connection.set(writes.contains { $0.durability == .full } ? .full : .normal)
        } catch {
            return writes.map { _ in .failure(error) }
        }
        let together = attempt(writes, connection)
        guard case .failure(let error) = together, writes.count > 1 || error.isOutcomeUnknown
        else { return writes.map { _ in together } }
        let end = ContinuousClock.now + .seconds(Self.settleSeconds)
        return writes.map { settled($0, error.isOutcomeUnknown, until: end, connection) }
    }

    /// How long a commit that was not confirmed is asked after, in seconds: a server that restarts is there again by then.
    private static let settleSeconds = 10.0

    /// Writes alone, and again while nobody knows whether that took effect.
    private func settled(
        _ write: Write, _ isUnknown: Bool, until end: ContinuousClock.Instant,
        _ connection: any SQLConnection
    ) -> Result<Void, SQLError> {
        var isUnknown = isUnknown
        while true {
            let outcome = attempt([write], connection)
            guard case .failure(let error) = outcome else { return outcome }
            isUnknown = isUnknown || error.isOutcomeUnknown
            guard isUnknown else { return outcome }
            // A commit that was not confirmed may be waiting still, and hold locks.
            guard error.isUnreachable || error.isBusy, ContinuousClock.now < end else {
                return .failure(error.withUnknownOutcome)
            }
            usleep(100_000)
        }
    }

    private func attempt(
        _ writes: [Write], _ connection: any SQLConnection
    ) -> Result<Void, SQLError> {
        do throws(SQLError) {
            let locking = writes.map(\.locking).max() ?? .writers
            try connection.transaction(locking) { () throws(SQLError) in
                for write in writes { try write.body(connection) }
                // A write may find that there is nothing to write any more, as when it runs again.
                connection.confirm()
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
