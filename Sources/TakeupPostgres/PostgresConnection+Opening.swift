internal import CTakeupPostgres
internal import TakeupSQL

extension PostgresConnection {
    /// Connects; `standbyWait` is told of a commit whose wait for its standbys was cancelled.
    static func open(
        _ address: String, _ name: String, _ standbyWait: StandbyWait? = nil
    ) throws(SQLError) -> OpaquePointer {
        // What the address says itself goes before these.
        let settings = [
            ("connect_timeout", "10"), ("fallback_application_name", "takeup"),
            ("client_encoding", "UTF8"),
            // A server whose machine is gone says nothing: half a minute is enough to know.
            ("target_session_attrs", "read-write"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "4"),
            ("tcp_user_timeout", "30000"), ("dbname", address),
        ]
        let opened = withStrings(settings.map(\.0)) { keys in
            withStrings(settings.map(\.1)) { values in
                takeup_PQconnectdbParams(keys, values, 1)
            }
        }
        guard let opened else {
            throw SQLError(
                .open, .other, code: "PostgreSQL", message: "there is no memory", database: name)
        }
        takeup_pg_hear(opened, standbyWait?.place)
        guard takeup_PQstatus(opened) == Int32(takeup_pg_connection_ok) else {
            let message = text(takeup_PQerrorMessage(opened))
            takeup_PQfinish(opened)
            throw SQLError(
                .open, SQLError.Kind(refusal: message), code: "PostgreSQL", message: message,
                database: name)
        }
        return opened
    }

    /// A database takes names in any script, or takes bytes as they come.
    static func requireText(in encoding: String, _ name: String) throws(SQLError) {
        guard encoding == "UTF8" || encoding == "SQL_ASCII" else {
            throw SQLError(
                .configure, .encoding, code: "PostgreSQL",
                message: "its encoding is \(encoding), not UTF8", database: name)
        }
    }

    /// One line of libpq's text; further ones, which a tab begins, explain what everybody can see.
    static func text(_ raw: UnsafePointer<CChar>?) -> String {
        guard let raw else { return "" }
        return String(cString: raw).split(separator: "\n").filter { !$0.hasPrefix("\t") }
            .joined(separator: "; ")
    }
}
