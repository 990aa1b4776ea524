internal import TakeupSQL

extension SQLJobStore {
    public func cancel(_ id: JobID) throws(JobStoreError) -> JobStateMachine.Action? {
        try ask(id, .cancelRequested) { [self] (connection, machine) throws(SQLError) in
            let time = now()
            try connection.run(
                """
                UPDATE job SET state = ?2, cancel_requested = ?3,
                    finished_at = CASE WHEN ?2 = 'cancelled' THEN ?4 END, note = NULL
                WHERE id = ?1
                """,
                [
                    .text(id.rawValue), .text(machine.state.rawValue),
                    .flag(machine.isCancelRequested), .real(time),
                ])
        }
    }

    public func retry(_ id: JobID) throws(JobStoreError) -> JobStateMachine.Action? {
        let action = try requeue(id)
        if action == .requeue { tellOfWork() }
        return action
    }

    private func requeue(_ id: JobID) throws(JobStoreError) -> JobStateMachine.Action? {
        try ask(id, .retryRequested) { [self] (connection, machine) throws(SQLError) in
            guard machine.state != .running else {
                try connection.run(
                    "UPDATE job SET cancel_requested = 0 WHERE id = ?1", [.text(id.rawValue)])
                return
            }
            try connection.run(
                """
                UPDATE job SET state = ?2, failures = 0, crashes = 0, interruptions = 0,
                    cancel_requested = 0, run_at = ?3, noted_at = ?3, started_at = NULL, finished_at = NULL,
                    publication = NULL, source_marks = NULL,
                    progress = NULL, fault = NULL, note = NULL
                WHERE id = ?1
                """, [.text(id.rawValue), .text(machine.state.rawValue), .real(now())])
        }
    }

    /// Puts a user's wish to the machine, and writes what it decides unless it ignores it.
    private func ask(
        _ id: JobID, _ event: JobStateMachine.Event,
        _ write: @escaping @Sendable (any SQLConnection, JobStateMachine) throws(SQLError) -> Void
    ) throws(JobStoreError) -> JobStateMachine.Action? {
        try change { (connection) throws(SQLError) in
            try Self.requireKnownTables(connection)
            let machines = try connection.query(
                "SELECT \(JobColumns.machine) FROM job WHERE id = ?1 \(connection.dialect.locked)",
                [.text(id.rawValue)]
            ) { JobColumns.machine($0, from: 0) }
            guard var machine = machines.first ?? nil else { return nil }
            let action = machine.apply(event)
            if action != .ignore { try write(connection, machine) }
            return action
        }
    }
}
