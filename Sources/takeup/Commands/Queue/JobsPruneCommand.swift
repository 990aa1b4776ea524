import TakeupIntake
import TakeupJobs
import TakeupModel

/// Forgets jobs that ended long ago.
struct JobsPruneCommand: Command {
    static let specification = CommandSpecification(
        name: "prune",
        summary: "Forget jobs that ended long ago",
        details: """
            Their results stay in the cache and at their outputs. Workers do this by themselves \
            with what ended 30 days ago, and beyond the last 1,000,000.
            """,
        options: [
            OptionSpecification(
                name: "older-than", valueName: "AGE", defaultValue: "7d",
                help: "How long ago they must have ended; 0 forgets all that have")
        ] + StateOptions.specifications + ServerOptions.specifications,
        examples: [.init(line: "takeup jobs prune --older-than 30d", effect: "a month is kept")],
        make: { input throws(UsageError) in try JobsPruneCommand(input) })

    let style: OutputStyle
    private let state: StateOptions
    private let seconds: Double

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        state = StateOptions(input)
        let text = input.value("older-than") ?? "7d"
        let age = text == "0" ? 0 : DurationText(parsing: text)?.seconds
        guard let age else {
            throw UsageError(
                "--older-than cannot be '\(text)'", hint: "write a time such as 7d or 12h",
                path: input.path)
        }
        seconds = age
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let queue = try state.openQueue(in: context, style)
        let count = try queue.prune(seconds)
        if style.isJSON {
            context.print(["pruned": .whole(count)])
        } else if !style.isQuiet {
            context.print(count == 1 ? "1 job forgotten" : "\(count) jobs forgotten")
        }
        return .success
    }
}
