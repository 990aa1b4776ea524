internal import Foundation
internal import TakeupSQL

/// How a job's row is read and its values are written.
enum JobColumns {
    static let all = """
        spec, state, retries, failures, crashes, interruptions, cancel_requested, token, owner,
        lease_until, created_at, run_at, started_at, finished_at, work_key, publication, progress,
        result, fault, note, sequence, source_marks
        """

    /// Makes a record of a row that was read before.
    typealias Reading = @Sendable () -> Result<JobRecord, JobStoreError>

    static func record(_ row: any SQLRow) -> Result<JobRecord, JobStoreError> { reading(row)() }

    /// Copies a row; what is in JSON is decoded later, so that no lock waits for that.
    static func reading(_ row: any SQLRow) -> Reading {
        let (text, machine) = (row.text(0), machine(row, from: 1))
        let (token, owner, leaseUntil) = (row.integer(7), row.optionalText(8), row.optionalReal(9))
        let (createdAt, runAt) = (row.real(10), row.real(11))
        let (startedAt, finishedAt) = (row.optionalReal(12), row.optionalReal(13))
        let (workKey, note, sequence) = (row.optionalText(14), row.optionalText(19), sequence(row))
        let (publication, progress) = (row.optionalText(15), row.optionalText(16))
        let (result, fault) = (row.optionalText(17), row.optionalText(18))
        let marks = row.optionalText(21)
        return {
            guard let spec: JobSpec = decoded(text), spec.version <= JobSpec.currentVersion,
                let machine
            else {
                return .failure(
                    .unreadable(job: String(text.prefix(200)), reason: "of another version"))
            }
            return .success(
                JobRecord(
                    spec: spec, machine: machine, token: token,
                    owner: owner.map(WorkerID.init(rawValue:)), leaseUntil: leaseUntil,
                    createdAt: createdAt, runAt: runAt, startedAt: startedAt,
                    finishedAt: finishedAt, workKey: workKey,
                    publication: publication.flatMap(decoded),
                    progress: progress.flatMap(decoded), lastResult: result.flatMap(decoded),
                    fault: fault.flatMap(decoded), note: note, sequence: sequence,
                    sourceMarks: marks.flatMap(decoded) ?? []))
        }
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
