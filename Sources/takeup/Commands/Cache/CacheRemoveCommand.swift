import TakeupModel
import TakeupService

/// Removes entries with their files.
struct CacheRemoveCommand: Command {
    static let specification = CommandSpecification(
        name: "remove",
        summary: "Remove results from the cache, whatever its limits say",
        details: """
            Outputs that jobs named stay. Ends with 1 when one is pinned, and with 75 when one is \
            in use.
            """,
        argument: CacheTable.ids, options: StateOptions.withCache + ServerOptions.specifications,
        examples: [.init(line: "takeup cache remove story-42", effect: "row and file go")],
        make: { input throws(UsageError) in try CacheRemoveCommand(input) })

    let style: OutputStyle
    private let change: CacheChange

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        change = try CacheChange(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        var outcome = ExitCode.success
        let code = try change.perform(in: context, style) { cache, id throws(Failure) in
            switch try cache.remove(id) {
            case .removed: return "removed"
            case .unknown: return nil
            case .inUse:
                outcome = .temporary
                return "in use, left as it is"
            case .pinned:
                if outcome == .success { outcome = .failed }
                return "pinned, left as it is"
            }
        }
        return outcome == .success ? code : outcome
    }
}
