internal import Foundation
internal import TakeupSQL

/// How a job's row is read and its values are written.
enum JobColumns {
    static let all = """
        spec, state, retries, failures, crashes, interruptions, cancel_requested, token, owner,
        lease_until, created_at, run_at, started_at, finished_at, work_key, publication, progress,
        result, fault, note, sequence, source_marks
        """

    static func record(_ row: any SQLRow) -> Result<JobRecord, JobStoreError> {
        guard let spec: JobSpec = decoded(row.text(0)),
            spec.version <= JobSpec.currentVersion, let machine = machine(row, from: 1)
        else {
            return .failure(
                .unreadable(job: String(row.text(0).prefix(200)), reason: "of another version"))
        }
        return .success(
            JobRecord(
                spec: spec, machine: machine, token: row.integer(7),
                owner: row.optionalText(8).map(WorkerID.init(rawValue:)),
                leaseUntil: row.optionalReal(9), createdAt: row.real(10), runAt: row.real(11),
                startedAt: row.optionalReal(12), finishedAt: row.optionalReal(13),
                workKey: row.optionalText(14), publication: row.optionalText(15).flatMap(decoded),
                progress: row.optionalText(16).flatMap(decoded),
                lastResult: row.optionalText(17).flatMap(decoded),
                fault: row.optionalText(18).flatMap(decoded), note: row.optionalText(19),
                sequence: sequence(row),
                sourceMarks: row.optionalText(21).flatMap(decoded) ?? []))
    }

    static func sequence(_ row: any SQLRow) -> Int64 { row.integer(20) }

    static let machine = "state, retries, failures, crashes, interruptions, cancel_requested"

    static func machine(_ row: any SQLRow, from first: Int) -> JobStateMachine? {
        guard let state = JobState(rawValue: row.text(first)) else { return nil }
        return JobStateMachine(
            state: state, retries: Int(row.integer(first + 1)),
            failures: Int(row.integer(first + 2)), crashes: Int(row.integer(first + 3)),
            interruptions: Int(row.integer(first + 4)), isCancelRequested: row.flag(first + 5))
    }

    static func decoded<Value: Decodable>(_ text: String) -> Value? {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(Value.self, from: Data(text.utf8))
    }

    /// Keys are sorted, so that equal values are equal texts.
    static func encoded(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let bytes = try? encoder.encode(value) else {
            preconditionFailure("the queue's values have a JSON form")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
