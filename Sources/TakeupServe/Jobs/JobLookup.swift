internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupModel

/// Jobs by their ids, states or ends, for programs that follow many.
struct JobLookup {
    static let mostBytes = 1_000_000
    private static let mostIDs = 1000
    private static let mostJobs = 10_000

    private let filter: JobFilter

    init(_ bytes: [UInt8]) throws(Refusal) {
        var filter = JobFilter(limit: Self.mostJobs)
        try Refusal.reading { () throws(BatchFault) in
            let fields = try JSONFields(parsing: bytes, known: ["ids", "states", "endedSince"])
            if let ids = try fields.texts("ids") {
                guard ids.count <= Self.mostIDs else {
                    throw BatchFault(line: nil, field: "ids", reason: "are more than 1000")
                }
                filter.ids = ids.map(JobID.init(rawValue:))
            }
            if let names = try fields.texts("states") {
                let states = names.compactMap(JobState.init(rawValue:))
                guard states.count == names.count else {
                    throw BatchFault(
                        line: nil, field: "states", reason: "holds what is no state",
                        hint: JobState.allCases.map(\.rawValue).joined(separator: ", "))
                }
                filter.states = Set(states)
            }
            filter.endedSince = try fields.number("endedSince")
        }
        self.filter = filter
    }

    func response(
        _ queue: QueueAccess, _ uploads: UploadPaths
    ) throws(Failure) -> HTTPResponse {
        .json(["jobs": .list(try queue.jobs(filter).map { uploads.shown($0.detailedJSON) })])
    }
}
