import TakeupIntake
import TakeupJobs
import TakeupModel

/// Explains one job.
struct JobsShowCommand: Command {
    static let specification = CommandSpecification(
        name: "show",
        summary: "Explain a job: where it stands, why, and what came of it",
        argument: ArgumentSpecification(name: "ID", count: 1...1, help: "A job's id"),
        options: StateOptions.specifications + ServerOptions.specifications,
        examples: [
            .init(line: "takeup jobs show story-42", effect: "its state, attempts and error")
        ],
        make: { input throws(UsageError) in JobsShowCommand(input) })

    let style: OutputStyle
    private let state: StateOptions
    private let id: JobID

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        state = StateOptions(input)
        id = JobID(rawValue: input.arguments[0])
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let queue = try state.openQueue(in: context, style)
        guard let record = try queue.job(id) else { throw .unknownJobs([id.rawValue]) }
        let workers = record.state == .queued ? try queue.liveWorkers() : nil
        if style.isJSON {
            context.print(record.detailedJSON(among: workers))
        } else {
            JobExplanation(record, workers: workers).lines(now: context.wallClock())
                .forEach(context.print)
        }
        return .success
    }
}
