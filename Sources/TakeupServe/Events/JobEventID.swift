internal import TakeupJobs
internal import TakeupModel

/// Names an event of one job by what it tells, so that a client can go on after any restart.
///
/// Rises through one life of the job, from `started` over its progress to `finished`.
struct JobEventID: Comparable, CustomStringConvertible {
    /// Ids of a job that has ended are the milliseconds since 1970 of its end.
    private static let firstEnd: Int64 = 1_000_000
    private static let firstWarning: Int64 = 100_000
    private static let steps = 10_000.0

    let number: Int64

    /// - Returns: nil for what is no id.
    init?(_ text: String) {
        guard let number = Int64(text), number >= 0 else { return nil }
        self.number = number
    }

    /// - Parameters:
    ///   - object: What is told.
    ///   - record: The job.
    ///   - warning: Of a warning, how many the job has before it.
    init(_ object: JSONValue, of record: JobRecord, warning: Int = 0) {
        switch EventText.type(of: object) {
        case "finished": number = Self.end(of: record)
        case "progress":
            var fraction = 0.0
            if case .object(let members) = object,
                case .number(let value) = members.first(where: { $0.key == "fraction" })?.value
            {
                fraction = value
            }
            number = 2 + Int64((fraction * Self.steps).rounded())
        case "warning": number = min(Self.firstWarning + Int64(warning), Self.firstEnd - 1)
        default: number = 1
        }
    }

    static func end(of record: JobRecord) -> Int64 {
        max(firstEnd, Int64(((record.finishedAt ?? 0) * 1000).rounded()))
    }

    /// Whether this is of the end of a job.
    var isOfEnd: Bool { number >= Self.firstEnd }

    var isOfProgress: Bool { (2..<Self.firstWarning).contains(number) }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    var description: String { "\(number)" }
}
