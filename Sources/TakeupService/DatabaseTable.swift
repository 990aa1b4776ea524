internal import Foundation
internal import TakeupDigest
internal import TakeupSQL

/// A table that is copied from one database to another, row by row in the order of its key.
struct DatabaseTable: Sendable {
    enum Kind: Sendable {
        case integer, real, text
    }

    let name: String
    /// The first one is the key.
    let columns: [(name: String, kind: Kind)]
    /// Whether a server numbers its rows by itself.
    var isNumbered = false

    /// What the queue and the manifest are; who works now is not copied.
    static let all = [
        DatabaseTable(
            name: "job",
            columns: [
                ("sequence", .integer), ("id", .text), ("spec", .text), ("state", .text),
                ("priority", .integer), ("retries", .integer), ("failures", .integer),
                ("crashes", .integer), ("interruptions", .integer), ("cancel_requested", .integer),
                ("token", .integer), ("owner", .text), ("lease_until", .real),
                ("created_at", .real), ("run_at", .real), ("started_at", .real),
                ("finished_at", .real), ("work_key", .text), ("publication", .text),
                ("progress", .text), ("result", .text), ("fault", .text), ("note", .text),
                ("noted_at", .real), ("source_marks", .text), ("place", .text), ("file", .text),
                ("ended_token", .integer), ("need", .text), ("share", .text),
            ], isNumbered: true),
        DatabaseTable(
            name: "cache_entry",
            columns: [
                ("key", .text), ("sha256", .text), ("extension", .text), ("bytes", .integer),
                ("preset", .text), ("source", .text), ("created_at", .real), ("expires_at", .real),
                ("last_access_at", .real), ("hits", .integer), ("pinned", .integer),
                ("duration", .real), ("frames", .integer), ("warnings", .text),
            ]),
        DatabaseTable(
            name: "cache_alias",
            columns: [("number", .integer), ("id", .text), ("key", .text)], isNumbered: true),
        DatabaseTable(name: "cache_counter", columns: [("name", .text), ("value", .integer)]),
        DatabaseTable(
            name: "cache_database",
            columns: [
                ("one", .integer), ("uuid", .text), ("folder", .text), ("folder_path", .text),
            ]),
    ]

    private var names: String { columns.map(\.name).joined(separator: ", ") }

    /// Rows that are read or written at once; a statement has at most 65,535 values.
    private static let rowsAtOnce = 500

    /// Hands out the rows in the order of the key, some at a time.
    func read(
        _ connection: any SQLConnection, _ take: ([[SQLValue]]) throws(SQLError) -> Void
    ) throws(SQLError) {
        var last: SQLValue?
        while true {
            let condition = last == nil ? "" : "WHERE \(columns[0].name) > ?2"
            let rows = try connection.query(
                """
                SELECT \(names) FROM \(name) \(condition) ORDER BY \(columns[0].name) LIMIT ?1
                """, [.integer(Self.rowsAtOnce)] + (last.map { [$0] } ?? [])
            ) { row in columns.indices.map { value($0, row) } }
            guard let end = rows.last else { return }
            try take(rows)
            last = end[0]
            guard rows.count == Self.rowsAtOnce else { return }
        }
    }

    private func value(_ column: Int, _ row: any SQLRow) -> SQLValue {
        guard !row.isNull(column) else { return .null }
        return switch columns[column].kind {
        case .integer: .integer(row.integer(column))
        case .real: .real(row.real(column))
        case .text: .text(row.text(column))
        }
    }

    func write(
        _ rows: [[SQLValue]], _ connection: any SQLConnection
    ) throws(SQLError) {
        let numbered =
            isNumbered && connection.dialect == .postgres ? "OVERRIDING SYSTEM VALUE" : ""
        let place = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
        let places = Array(repeating: place, count: rows.count).joined(separator: ", ")
        try connection.run(
            "INSERT INTO \(name) (\(names)) \(numbered) VALUES \(places)", rows.flatMap { $0 })
    }

    /// Has a server number further rows from here on.
    func settleNumbers(_ connection: any SQLConnection) throws(SQLError) {
        guard isNumbered, connection.dialect == .postgres else { return }
        let key = columns[0].name
        _ = try connection.query(
            """
            SELECT setval(pg_get_serial_sequence('\(name)', '\(key)'),
                greatest(coalesce(max(\(key)), 0), 1), count(*) > 0) FROM \(name)
            """
        ) { _ in }
    }

    /// How many rows there are, and the SHA-256 of all their values.
    func content(_ connection: any SQLConnection) throws(SQLError) -> DatabaseCopy.Table {
        guard let digest = RunningDigest(.sha256) else {
            preconditionFailure("SHA-256 is always there")
        }
        var count = 0
        try read(connection) { (rows) throws(SQLError) in
            count += rows.count
            for value in rows.joined() { digest.update(Self.bytes(value)) }
        }
        return DatabaseCopy.Table(name: name, rows: count, sha256: digest.finish())
    }

    /// A form that is the same for every engine, and different for different values.
    private static func bytes(_ value: SQLValue) -> [UInt8] {
        switch value {
        case .null: return [0]
        case .integer(let number): return [1] + withUnsafeBytes(of: number.littleEndian, Array.init)
        case .real(let number):
            return [2] + withUnsafeBytes(of: number.bitPattern.littleEndian, Array.init)
        case .text(let text):
            return [3] + withUnsafeBytes(of: text.utf8.count.littleEndian, Array.init) + text.utf8
        }
    }
}
