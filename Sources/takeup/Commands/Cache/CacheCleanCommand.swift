import TakeupIntake
import TakeupModel
import TakeupService

/// Removes what has expired or is beyond the cache's limits.
struct CacheCleanCommand: Command {
    static let specification = CommandSpecification(
        name: "clean",
        summary: "Remove what has expired or is beyond the cache's limits",
        details: "Least recently used go first; never what is pinned or in use.",
        options: [
            OptionSpecification(name: "dry-run", help: "Say what would go and why; remove nothing")
        ] + CacheLimitOptions.specifications + StateOptions.withCache
            + ServerOptions.specifications,
        examples: [
            .init(
                line: "takeup cache clean --cache-max-bytes 50GB --dry-run",
                effect: "what would go to keep within 50 GB")
        ],
        make: { input throws(UsageError) in try CacheCleanCommand(input) })

    let style: OutputStyle
    private let options: CacheOptions
    private let isDryRun: Bool

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try CacheOptions(input)
        isDryRun = input.isOn("dry-run")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let cache = try options.open(in: context)
        let evictions = try cache.clean(isDryRun)
        if style.isJSON {
            context.print(.list(evictions.map(\.json)))
        } else if !style.isQuiet {
            say(evictions, in: context)
        }
        return .success
    }

    private func say(_ evictions: [CacheAccess.Eviction], in context: CommandContext) {
        let rows = evictions.map {
            [$0.id.escaped, "\(ByteSize(bytes: $0.bytes))", $0.reason.escaped, $0.outcome.text]
        }
        TextTable.lines(rows).forEach(context.print)
        let gone = evictions.filter { $0.outcome == (isDryRun ? .planned : .removed) }
        let bytes = gone.reduce(0) { $0 + $1.bytes }
        let count = gone.count == 1 ? "1 result" : "\(gone.count) results"
        let verb = isDryRun ? "would go" : "removed"
        context.print(
            evictions.isEmpty
                ? "nothing to remove" : "\(count) \(verb), \(ByteSize(bytes: bytes))")
    }
}

extension CacheAccess.Eviction.Outcome {
    fileprivate var text: String {
        switch self {
        case .removed: "removed"
        case .planned: "would go"
        case .inUse: "in use, kept"
        case .kept: "changed meanwhile, kept"
        }
    }
}
