import TakeupModel
import TakeupService

/// Keeps entries whatever the limits say, or lets them go again.
struct CachePinCommand: Command {
    static let pinning = CommandSpecification(
        name: "pin",
        summary: "Keep results whatever the cache's limits say",
        argument: CacheTable.ids, options: StateOptions.withCache + ServerOptions.specifications,
        examples: [.init(line: "takeup cache pin story-42", effect: "it does not expire")],
        make: { input throws(UsageError) in try CachePinCommand(input, isPinned: true) })

    static let unpinning = CommandSpecification(
        name: "unpin",
        summary: "Let pinned results expire again",
        argument: CacheTable.ids, options: StateOptions.withCache + ServerOptions.specifications,
        examples: [.init(line: "takeup cache unpin story-42", effect: "it may go")],
        make: { input throws(UsageError) in try CachePinCommand(input, isPinned: false) })

    let style: OutputStyle
    private let isPinned: Bool
    private let change: CacheChange

    init(_ input: CommandInput, isPinned: Bool) throws(UsageError) {
        style = OutputStyle(input)
        self.isPinned = isPinned
        change = try CacheChange(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        try change.perform(in: context, style) { cache, id throws(Failure) in
            guard try cache.setPinned(id, isPinned) else { return nil }
            return isPinned ? "pinned" : "unpinned"
        }
    }
}
