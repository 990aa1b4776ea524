import TakeupJobs
import TakeupModel
import TakeupService

/// Prints where a result is.
struct CacheGetCommand: Command {
    static let specification = CommandSpecification(
        name: "get",
        summary: "Print the path of a result and nothing else",
        details: "Counts as a use of the result. Ends with 66 when the cache does not hold it.",
        argument: ArgumentSpecification(
            name: "ID", count: 1...1, help: "The id of an entry or of the job that made it"),
        options: CacheLimitOptions.specifications + StateOptions.withCache
            + ServerOptions.specifications,
        examples: [.init(line: "takeup cache get story-42", effect: "a path to open")],
        make: { input throws(UsageError) in try CacheGetCommand(input) })

    let style: OutputStyle
    private let options: CacheOptions
    private let id: String

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try CacheOptions(input)
        id = input.arguments[0]
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let cache = try options.open(in: context)
        guard let entry = try cache.use(id) else { throw missing(in: context) }
        if style.isJSON {
            context.print(entry.json)
        } else {
            context.print(entry.path)
        }
        return .success
    }

    /// Says of a job's id why it has no result.
    private func missing(in context: CommandContext) -> Failure {
        let unknown = Failure.unknownEntries([id])
        guard let job = options.job(id, in: context) else { return unknown }
        return Failure(
            exitCode: unknown.exitCode, code: unknown.code, stage: unknown.stage,
            message: "the cache has no result of job '\(id)', \(job.noResult.reason)",
            hint: "\(job.noResult.hint); 'takeup jobs show \(id.shellWord)' says more")
    }
}
