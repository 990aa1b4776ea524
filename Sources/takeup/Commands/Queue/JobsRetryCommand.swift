import TakeupJobs
import TakeupModel

/// Queues jobs that have ended again.
struct JobsRetryCommand: Command {
    static let specification = CommandSpecification(
        name: "retry",
        summary: "Queue jobs that have ended again, with all their attempts",
        argument: JobsTable.ids,
        options: StateOptions.specifications + ServerOptions.specifications,
        examples: [.init(line: "takeup jobs retry story-42", effect: "it runs again")],
        make: { input throws(UsageError) in JobsRetryCommand(input) })

    let style: OutputStyle
    private let change: JobChange

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        change = JobChange(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        try change.perform(in: context, style) { queue, before throws(Failure) in
            let before = try queue.confirmed(JobFilter(ids: [before.id])).first ?? before
            guard !before.isUnderWay else {
                return "has not ended yet: \(before.state.rawValue)"
            }
            try queue.retry(before.id)
            return (try queue.job(before.id) ?? before).state.rawValue
        }
    }
}
