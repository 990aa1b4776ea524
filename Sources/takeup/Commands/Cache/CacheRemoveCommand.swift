/// Removes entries with their files.
struct CacheRemoveCommand: Command {
    static let specification = CommandSpecification(
        name: "remove",
        summary: "Remove results from the cache, pinned ones as well",
        details: "Copies at the outputs of jobs stay. Ends with 75 when one is in use.",
        argument: CacheTable.ids, options: StateOptions.specifications,
        examples: [.init(line: "takeup cache remove story-42", effect: "row and file go")],
        make: { input throws(UsageError) in CacheRemoveCommand(input) })

    let style: OutputStyle
    private let change: CacheChange

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        change = CacheChange(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        var isEveryGone = true
        let code = try change.perform(in: context, style) { cache, id throws(Failure) in
            switch try cache.remove(id) {
            case .removed: return "removed"
            case .unknown: return nil
            case .inUse:
                isEveryGone = false
                return "in use, left as it is"
            }
        }
        return isEveryGone ? code : .temporary
    }
}
