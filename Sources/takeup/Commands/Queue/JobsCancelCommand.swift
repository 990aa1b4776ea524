import TakeupJobs
import TakeupModel

/// Cancels jobs, running ones as well.
struct JobsCancelCommand: Command {
    static let specification = CommandSpecification(
        name: "cancel",
        summary: "Cancel jobs, running ones as well",
        details: "A job that has ended stays as it is.",
        argument: JobsTable.ids,
        options: StateOptions.specifications + ServerOptions.specifications,
        examples: [.init(line: "takeup jobs cancel story-42", effect: "it does not run")],
        make: { input throws(UsageError) in JobsCancelCommand(input) })

    let style: OutputStyle
    private let change: JobChange

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        change = JobChange(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        try change.perform(in: context, style) { queue, before throws(Failure) in
            try queue.cancel(before.id)
            let after = try queue.job(before.id) ?? before
            if before.state.isTerminal { return "has ended before: \(before.state.rawValue)" }
            return after.state.isTerminal
                ? after.state.rawValue : "its worker was asked to stop"
        }
    }
}
