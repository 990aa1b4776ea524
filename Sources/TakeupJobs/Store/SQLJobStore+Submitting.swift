internal import TakeupLanes
internal import TakeupModel
internal import TakeupSQL

extension SQLJobStore {
    /// What is known of a job under an id.
    private struct Known {
        let spec: String
        let state: JobState
        let marks: String?
    }

    public func submit(_ specs: [JobSpec]) throws(JobStoreError) -> [Acceptance] {
        // Before the transaction: a disk may be slow to tell.
        let marks = specs.map(Self.marks)
        let said = Locked<[Acceptance]>([])
        let answers = try change { [self] (connection) throws(SQLError) in
            try Self.requireKnownTables(connection)
            var answers: [Acceptance] = []
            answers.reserveCapacity(specs.count)
            var newWork: [JobID] = []
            for (spec, marks) in zip(specs, marks) {
                if let fault = spec.fault {
                    answers.append(.refused(fault))
                } else {
                    answers.append(try accept(spec, marks, &newWork, connection))
                }
            }
            if !newWork.isEmpty { try onNewWork(newWork, connection) }
            return said.withLock { said in
                said = Self.first(of: said, or: answers)
                return said
            }
        }
        let isWork = answers.contains { $0 == .accepted || $0 == .again }
        if isWork { tellOfWork() }
        return answers
    }

    /// What was said first, where the same jobs are accepted again because nobody knew whether they were.
    private static func first(of said: [Acceptance], or answers: [Acceptance]) -> [Acceptance] {
        guard said.count == answers.count else { return answers }
        return zip(said, answers).map { before, now in
            guard case .duplicate = now, before == .accepted || before == .again else { return now }
            return before
        }
    }

    /// What the sources are now; nil where nothing is known of any.
    private static func marks(_ spec: JobSpec) -> String? {
        let marks = spec.request.sources.map(SourceMark.of)
        return marks.contains { $0 != nil } ? JobColumns.encoded(marks) : nil
    }

    private func accept(
        _ spec: JobSpec, _ marks: String?, _ newWork: inout [JobID],
        _ connection: any SQLConnection
    ) throws(SQLError) -> Acceptance {
        let text = JobColumns.encoded(spec)
        let found = try connection.query(
            "SELECT spec, state, source_marks FROM job WHERE id = ?1 \(connection.dialect.locked)",
            [.text(spec.id.rawValue)]
        ) { row in
            JobState(rawValue: row.text(1)).map {
                Known(spec: row.text(0), state: $0, marks: row.optionalText(2))
            }
        }.first
        guard let known = found ?? nil else {
            newWork.append(spec.id)
            try insert(spec, text, marks, connection)
            return .accepted
        }
        let old: JobSpec? = JobColumns.decoded(known.spec)
        let isSame =
            known.spec.utf8.elementsEqual(text.utf8) || old?.isSameWork(as: spec) ?? false
        guard known.state.isTerminal else {
            guard isSame else { return .conflict }
            // Who asks again means what is there now.
            if known.marks != marks { try note(marks, of: spec.id, connection) }
            return .duplicate(known.state)
        }
        if !isSame { newWork.append(spec.id) }
        try replace(spec, text, marks, isSame, connection)
        let isDone = known.state == .succeeded || known.state == .cached
        return isSame && isDone ? .again : .accepted
    }

    private func note(
        _ marks: String?, of job: JobID, _ connection: any SQLConnection
    ) throws(SQLError) {
        try connection.run(
            "UPDATE job SET source_marks = ?2 WHERE id = ?1", [.text(job.rawValue), .text(marks)])
    }

    /// What every accepted job's row says: id, spec, marks, state, priority, retries, when it was accepted, may start
    /// and was noted, what it is found by, and what it asks of its worker.
    private func values(_ spec: JobSpec, _ text: String, _ marks: String?) -> [SQLValue] {
        let time = now()
        let keys = SearchKeys(spec)
        let later = spec.notBefore.flatMap { $0 > time ? $0 : nil }
        return [
            .text(spec.id.rawValue), .text(text), .text(marks),
            .text((later == nil ? JobState.queued : .scheduled).rawValue),
            .integer(spec.priority), .integer(spec.retries), .real(time), .real(later ?? time),
            // A user's own time is not counted from this clock.
            .real(later == nil ? time : nil), .text(keys.place), .text(keys.file),
            .text(spec.need), .text(spec.key ?? ""),
        ]
    }

    private func insert(
        _ spec: JobSpec, _ text: String, _ marks: String?, _ connection: any SQLConnection
    ) throws(SQLError) {
        try connection.run(
            """
            INSERT INTO job (id, spec, source_marks, state, priority, retries, created_at, run_at,
                noted_at, place, file, need, share)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """, values(spec, text, marks))
    }

    /// Takes a job that has ended back to its beginning; its token goes on rising.
    ///
    /// What it made and announced stays known for the same work alone.
    private func replace(
        _ spec: JobSpec, _ text: String, _ marks: String?, _ isSame: Bool,
        _ connection: any SQLConnection
    ) throws(SQLError) {
        try connection.run(
            """
            UPDATE job SET spec = ?2, source_marks = ?3, state = ?4, priority = ?5, retries = ?6,
                created_at = ?7, run_at = ?8, noted_at = ?9, place = ?10, file = ?11, need = ?12,
                share = ?13,
                failures = 0, crashes = 0, interruptions = 0, cancel_requested = 0,
                started_at = NULL, finished_at = NULL, work_key = NULL, publication = NULL,
                result = CASE WHEN ?14 <> 0 THEN result END, progress = NULL, fault = NULL, note = NULL
            WHERE id = ?1
            """, values(spec, text, marks) + [.flag(isSame)])
    }
}
