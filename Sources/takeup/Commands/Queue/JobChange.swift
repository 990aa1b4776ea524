import TakeupJobs
import TakeupModel

/// Does something to several jobs and tells of each what came of it.
struct JobChange: Sendable {
    private let state: StateOptions
    private let ids: [JobID]

    init(_ input: CommandInput) {
        state = StateOptions(input)
        var seen: Set<String> = []
        ids = input.arguments.filter { seen.insert($0).inserted }.map(JobID.init(rawValue:))
    }

    /// Changes every job that the queue knows.
    ///
    /// - Throws: With 66 for those that it does not know, once the others are done.
    func perform(
        in context: CommandContext, _ style: OutputStyle,
        _ change: (QueueAccess, JobRecord) throws(Failure) -> String
    ) throws(Failure) -> ExitCode {
        let queue = try state.openQueue(in: context, style)
        var unknown: [String] = []
        var answers: [JSONValue] = []
        for id in ids {
            guard let before = try queue.job(id) else {
                unknown.append(id.rawValue)
                continue
            }
            let outcome = try change(queue, before)
            if style.isJSON {
                let after = try queue.job(id) ?? before
                answers.append([
                    "id": .text(id.rawValue), "state": .text(after.state.rawValue),
                    "message": .text(outcome),
                ])
            } else if !style.isQuiet {
                context.print("\(id.rawValue.escaped): \(outcome)")
            }
        }
        // Where nothing was known the error says it all.
        if style.isJSON, unknown.count < ids.count { context.print(.list(answers)) }
        guard unknown.isEmpty else { throw .unknownJobs(unknown) }
        return .success
    }
}
