import TakeupModel
import TakeupService

/// Does something to several entries and tells of each what came of it.
struct CacheChange: Sendable {
    private let options: CacheOptions
    private let ids: [String]

    init(_ input: CommandInput) throws(UsageError) {
        options = try CacheOptions(input)
        var seen: Set<String> = []
        ids = input.arguments.filter { seen.insert($0).inserted }
    }

    /// Changes every entry that is there.
    ///
    /// A change says what it did, or nil for an entry that is not there.
    /// - Throws: With 66 for those that are not there, once the others are done.
    func perform(
        in context: CommandContext, _ style: OutputStyle,
        _ change: (CacheAccess, String) throws(Failure) -> String?
    ) throws(Failure) -> ExitCode {
        let cache = try options.open(in: context)
        var unknown: [String] = []
        var answers: [JSONValue] = []
        for id in ids {
            guard let outcome = try change(cache, id) else {
                unknown.append(id)
                continue
            }
            if style.isJSON {
                answers.append(["id": .text(id), "message": .text(outcome)])
            } else if !style.isQuiet {
                context.print("\(id.escaped): \(outcome)")
            }
        }
        // Where nothing was known the error says it all.
        if style.isJSON, unknown.count < ids.count { context.print(.list(answers)) }
        guard unknown.isEmpty else { throw .unknownEntries(unknown) }
        return .success
    }
}
