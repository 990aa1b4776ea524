internal import TakeupSQLite

extension SQLiteJobStore {
    public func submit(_ specs: [JobSpec]) throws(JobStoreError) -> [Acceptance] {
        try change { [self] (connection) throws(SQLiteError) in
            var answers: [Acceptance] = []
            answers.reserveCapacity(specs.count)
            for spec in specs {
                if let fault = spec.fault {
                    answers.append(.refused(fault))
                } else {
                    answers.append(try accept(spec, connection))
                }
            }
            return answers
        }
    }

    private func accept(
        _ spec: JobSpec, _ connection: Connection
    ) throws(SQLiteError) -> Acceptance {
        let text = JobColumns.encoded(spec)
        let known = try connection.query(
            "SELECT spec, state FROM job WHERE id = ?1", [.text(spec.id.rawValue)]
        ) { ($0.text(0), JobState(rawValue: $0.text(1))) }.first
        guard let (oldText, oldState) = known, let oldState else {
            try insert(spec, text, connection)
            return .accepted
        }
        let old: JobSpec? = JobColumns.decoded(oldText)
        let isSame = oldText.utf8.elementsEqual(text.utf8) || old?.isSameWork(as: spec) ?? false
        guard oldState.isTerminal else { return isSame ? .duplicate(oldState) : .conflict }
        try replace(spec, text, isSame, connection)
        let isDone = oldState == .succeeded || oldState == .cached
        return isSame && isDone ? .again : .accepted
    }

    private func insert(
        _ spec: JobSpec, _ text: String, _ connection: Connection
    ) throws(SQLiteError) {
        let time = now()
        try connection.run(
            """
            INSERT INTO job (id, spec, state, priority, retries, created_at, run_at)
            VALUES (?1, ?2, 'queued', ?3, ?4, ?5, ?5)
            """,
            [
                .text(spec.id.rawValue), .text(text), .integer(spec.priority),
                .integer(spec.retries), .real(time),
            ])
    }

    /// Takes a job that has ended back to its beginning; its token goes on rising.
    ///
    /// What it made and announced stays known for the same work alone.
    private func replace(
        _ spec: JobSpec, _ text: String, _ isSame: Bool, _ connection: Connection
    ) throws(SQLiteError) {
        try connection.run(
            """
            UPDATE job SET spec = ?2, state = 'queued', priority = ?3, retries = ?4, failures = 0,
                crashes = 0, interruptions = 0, cancel_requested = 0, created_at = ?5, run_at = ?5,
                started_at = NULL, finished_at = NULL, work_key = NULL,
                publication = NULL,
                result = CASE WHEN ?6 THEN result END,
                progress = NULL, fault = NULL, note = NULL
            WHERE id = ?1
            """,
            [
                .text(spec.id.rawValue), .text(text), .integer(spec.priority),
                .integer(spec.retries), .real(now()), .flag(isSame),
            ])
    }
}
