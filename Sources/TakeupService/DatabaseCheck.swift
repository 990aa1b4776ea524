internal import Foundation
package import TakeupModel
internal import TakeupSQL

/// What can be said of a database by asking it.
package struct DatabaseCheck: Sendable, Equatable {
    package enum Status: String, Sendable {
        case good = "ok"
        case warning = "warn"
        case failure = "fail"
    }

    package let subject: String
    package let status: Status
    package let finding: String
    /// What to do about it; nil when there is nothing to do.
    package var hint: String?

    /// A round trip that is slower makes claims slow, in seconds.
    private static let slowSeconds = 0.02
    /// A clock that is further away makes times of logs and jobs hard to compare, in seconds.
    private static let mostSkewSeconds = 2.0

    /// Asks a database that is there about its engine; makes nothing.
    ///
    /// - Throws: `Failure` where it cannot be reached or used, as a command's.
    package static func all(of address: DatabaseAddress) throws(Failure) -> [DatabaseCheck] {
        do throws(SQLError) {
            let connection = try address.database.connect(.normal)
            try requireUse(of: connection)
            let wholeness = try wholeness(connection)
            return connection.dialect == .postgres
                ? try server(address, connection) + wholeness : try file(connection) + wholeness
        } catch {
            throw Failure(error)
        }
    }

    private static func file(
        _ connection: any SQLConnection
    ) throws(SQLError) -> [DatabaseCheck] {
        let words = try connection.query("PRAGMA integrity_check(1)") { $0.text(0) }.first ?? "?"
        return [
            DatabaseCheck(
                subject: "database file", status: words == "ok" ? .good : .failure,
                finding: words == "ok" ? "whole" : words,
                hint: words == "ok" ? nil : "bring back a copy")
        ]
    }

    /// Whether the sums of the manifest are those of its rows.
    private static func wholeness(
        _ connection: any SQLConnection
    ) throws(SQLError) -> [DatabaseCheck] {
        let tables = try connection.query(
            connection.dialect == .postgres
                ? "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
                : "SELECT name FROM sqlite_schema WHERE type = 'table'"
        ) { $0.text(0) }
        guard tables.contains("job") else {
            return [
                DatabaseCheck(subject: "tables", status: .good, finding: "not made yet")
            ]
        }
        guard tables.contains("cache_total") else {
            let jobs = try connection.query("SELECT count(*) FROM job") { $0.integer(0) }.first
            return [
                DatabaseCheck(
                    subject: "tables", status: .good,
                    finding: "jobs: \(jobs ?? 0), no results yet")
            ]
        }
        let counted =
            try connection.query(
                """
                SELECT (SELECT count(*) FROM job), (SELECT count(*) FROM cache_entry),
                    (SELECT entries FROM cache_total)
                """
            ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }.first ?? (0, 0, 0)
        let isWhole = counted.1 == counted.2
        return [
            DatabaseCheck(
                subject: "tables", status: isWhole ? .good : .failure,
                finding: isWhole
                    ? "jobs: \(counted.0), results: \(counted.1)"
                    : "\(counted.1) results, but \(counted.2) are counted",
                hint: isWhole
                    ? nil : "a row was changed by hand: 'takeup database copy' counts again")
        ]
    }

    private static func server(
        _ address: DatabaseAddress, _ connection: any SQLConnection
    ) throws(SQLError) -> [DatabaseCheck] {
        let trips = try (0..<5).map { _ throws(SQLError) in try trip(connection) }
        let best = trips.min { $0.seconds < $1.seconds } ?? (0, 0)
        let standbys = try SynchronousStandbys(connection)
        let settings =
            try connection.query(
                """
                SELECT current_setting('fsync'), current_setting('synchronous_commit'),
                    current_setting('server_version'), current_setting('max_connections'),
                    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
                    (SELECT count(*) FROM pg_stat_activity
                        WHERE xact_start < clock_timestamp() - interval '5 minutes')
                """
            ) { row in (0..<6).map { row.text($0) } }.first ?? []
        guard settings.count == 6 else { return [] }
        let hears = (try? address.database.listen(to: "takeup check")) ?? nil
        let milliseconds = (best.seconds * 100_000).rounded() / 100
        let isFast = best.seconds <= slowSeconds
        let isNear = abs(best.skew) <= mostSkewSeconds
        let used = (Int(settings[4]) ?? 0, Int(settings[3]) ?? 0)
        return [
            DatabaseCheck(
                subject: "database server", status: isFast ? .good : .warning,
                finding: "PostgreSQL \(settings[2]), a round trip takes \(milliseconds) ms",
                hint: isFast ? nil : "run workers near the server: a job takes some forty of them"),
            DatabaseCheck(
                subject: "clocks", status: isNear ? .good : .warning,
                finding: "this machine is \(Self.words(best.skew)) the server",
                hint: isNear
                    ? nil : "jobs go by the server's clock; set this one, so that logs agree"),
            DatabaseCheck(
                subject: "durability", status: settings[0] == "on" ? .good : .failure,
                finding: "fsync \(settings[0]), synchronous_commit \(settings[1])",
                hint: settings[0] == "on"
                    ? nil : "with fsync off a crash of the server loses jobs: set it to on"),
            DatabaseCheck(
                subject: "standbys", status: standbys.areThere ? .good : .failure,
                finding: standbys.finding,
                hint: standbys.areThere
                    ? nil
                    : "every commit waits for one: bring it back, or take it out of"
                        + " synchronous_standby_names"),
            DatabaseCheck(
                subject: "connections", status: used.0 * 10 < used.1 * 9 ? .good : .warning,
                finding: "\(used.0) of \(used.1) in use",
                hint: used.0 * 10 < used.1 * 9
                    ? nil : "raise max_connections: a worker needs up to six"),
            DatabaseCheck(
                subject: "wake-ups", status: hears == nil ? .warning : .good,
                finding: hears == nil
                    ? "a pooler stands before the server" : "the server tells workers of new jobs",
                hint: hears == nil
                    ? "jobs start within two seconds; an address without the pooler makes it at once"
                    : nil),
            DatabaseCheck(
                subject: "long transactions", status: settings[5] == "0" ? .good : .warning,
                finding: "\(settings[5]) older than five minutes",
                hint: settings[5] == "0"
                    ? nil : "they keep dead rows alive, and claims get slow: end them"),
        ]
    }

    private static func words(_ skew: Double) -> String {
        let seconds = (abs(skew) * 100).rounded() / 100
        return "\(seconds) s \(skew < 0 ? "behind" : "ahead of")"
    }

    /// How long an answer takes, and how far this machine's clock is ahead of the server's, in seconds.
    private static func trip(
        _ connection: any SQLConnection
    ) throws(SQLError) -> (seconds: Double, skew: Double) {
        let (sent, wall) = (ContinuousClock.now, Date().timeIntervalSince1970)
        let server =
            try connection.query(
                "SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
            ) { $0.real(0) }.first ?? 0
        let seconds = (ContinuousClock.now - sent) / .seconds(1)
        return (seconds, wall + seconds / 2 - server)
    }
}
