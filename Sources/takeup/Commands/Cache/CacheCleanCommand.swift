import TakeupIntake

/// Removes what has expired or is beyond the cache's limits.
struct CacheCleanCommand: Command {
    static let specification = CommandSpecification(
        name: "clean",
        summary: "Remove results that have expired or are beyond the cache's limits",
        details: "Least recently used go first; never what is pinned or in use.",
        options: [
            OptionSpecification(name: "dry-run", help: "Say what would go and why; remove nothing")
        ] + CacheLimitOptions.specifications + StateOptions.specifications,
        examples: [
            .init(
                line: "takeup cache clean --cache-max-bytes 50GB --dry-run",
                effect: "what would go to keep within 50 GB")
        ],
        make: { input throws(UsageError) in try CacheCleanCommand(input) })

    let style: OutputStyle
    private let state: StateOptions
    private let limits: CacheLimitOptions
    private let isDryRun: Bool

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        state = StateOptions(input)
        limits = try CacheLimitOptions(input)
        isDryRun = input.isOn("dry-run")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let cache = try context.openCache(try state.places(in: context))
        let removals = try cache.clean(limits, isDryRun)
        if style.isJSON {
            context.print(
                .list(
                    removals.map {
                        [
                            "id": .text($0.id), "bytes": .integer($0.bytes),
                            "reason": .text($0.reason), "removed": .flag(!isDryRun),
                        ]
                    }))
        } else if !style.isQuiet {
            say(removals, in: context)
        }
        return .success
    }

    private func say(_ removals: [CacheAccess.Removal], in context: CommandContext) {
        let rows = removals.map {
            [$0.id.escaped, "\(ByteSize(bytes: $0.bytes))", $0.reason.escaped]
        }
        TextTable.lines(rows).forEach(context.print)
        let bytes = removals.reduce(0) { $0 + $1.bytes }
        let count = removals.count == 1 ? "1 result" : "\(removals.count) results"
        let verb = isDryRun ? "would go" : "removed"
        context.print(
            removals.isEmpty ? "nothing to remove" : "\(count) \(verb), \(ByteSize(bytes: bytes))")
    }
}
