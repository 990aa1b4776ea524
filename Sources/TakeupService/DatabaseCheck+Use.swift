internal import TakeupCache
internal import TakeupJobs
internal import TakeupSQL

extension DatabaseCheck {
    /// Makes nothing.
    ///
    /// - Throws: `SQLError` as a command would: for tables of a later version, and for rights that the user lacks.
    static func requireUse(of connection: any SQLConnection) throws(SQLError) {
        let hasJobs = try SQLJobStore.migrator(connection.dialect).isKnown(in: connection)
        let hasCache = try Manifest.migrator(connection.dialect).isKnown(in: connection)
        guard connection.dialect == .postgres else { return }
        let lacks = try connection.query(closedTables) { $0.text(0) }
        guard lacks.isEmpty else {
            throw refused("it may not read and write \(lacks.joined(separator: ", "))", connection)
        }
        guard !hasJobs || !hasCache else { return }
        let mayMake = try connection.query(
            "SELECT current_schema(), has_schema_privilege(current_schema(), 'CREATE')"
        ) { ($0.text(0), $0.flag(1)) }.first
        guard let mayMake, !mayMake.1 else { return }
        throw refused("it may not make tables in the schema \(mayMake.0)", connection)
    }

    /// Those that every worker writes.
    private static let closedTables = """
        SELECT relname FROM pg_class
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            AND relname IN ('job', 'job_token_number', 'worker', 'cache_entry', 'cache_alias',
                'cache_counter')
            AND NOT CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE')
                ELSE has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
                    AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
                END
        ORDER BY relname
        """

    private static func refused(_ message: String, _ connection: any SQLConnection) -> SQLError {
        SQLError(.step, .notPermitted, code: "42501", message: message, database: connection.name)
    }
}
