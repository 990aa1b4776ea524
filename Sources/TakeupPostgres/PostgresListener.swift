internal import CTakeupPostgres
internal import Foundation
internal import TakeupSQL

/// A connection to a PostgreSQL server that waits for the notices of one channel.
final class PostgresListener: SQLListener {
    private let connection: OpaquePointer
    private let name: String

    /// - Returns: nil behind a pooler, which may give each statement another connection.
    init?(address: String, name: String, channel: String) throws(SQLError) {
        let raw = try PostgresConnection.open(address, name)
        (connection, self.name) = (raw, name)
        let process = PostgresAnswer(takeup_PQexec(connection, "SELECT pg_backend_pid()"))
        guard process.isSuccess else { throw lost() }
        guard process.text(0, 0) == "\(takeup_PQbackendPID(connection))" else { return nil }
        let quoted = channel.replacing("\"", with: "\"\"")
        guard PostgresAnswer(takeup_PQexec(connection, "LISTEN \"\(quoted)\"")).isSuccess else {
            throw lost()
        }
    }

    deinit { takeup_PQfinish(connection) }

    func wait(seconds: Double) throws(SQLError) -> Bool {
        if try takeNotices() { return true }
        var place = pollfd(
            fd: takeup_PQsocket(connection), events: Int16(POLLIN), revents: 0)
        let found = poll(&place, 1, Int32(min(seconds, 3600) * 1000))
        guard found > 0 else {
            guard found == 0 || errno == EINTR else { throw lost() }
            return false
        }
        return try takeNotices()
    }

    private func takeNotices() throws(SQLError) -> Bool {
        guard takeup_PQconsumeInput(connection) != 0 else { throw lost() }
        var isTold = false
        while let notice = takeup_PQnotifies(connection) {
            isTold = true
            takeup_PQfreemem(notice)
        }
        return isTold
    }

    private func lost() -> SQLError {
        SQLError(
            .step, .unreachable, code: "PostgreSQL",
            message: "the connection for wake-ups was lost", database: name)
    }
}
