import TakeupIntake
import TakeupModel
import TakeupService

/// Lists what is in the cache.
struct CacheListCommand: Command {
    static let specification = CommandSpecification(
        name: "list",
        summary: "List the results and the fetched sources in the cache",
        options: StateOptions.withCache + ServerOptions.specifications,
        examples: [.init(line: "takeup cache list --json", effect: "the same, for scripts")],
        make: { input throws(UsageError) in try CacheListCommand(input) })

    let style: OutputStyle
    private let options: CacheOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try CacheOptions(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let cache = try options.open(in: context)
        let entries = try cache.entries()
        if style.isJSON {
            context.print(.list(entries.map(\.json)))
            return .success
        }
        guard !entries.isEmpty else {
            Console(context, style).note("the cache is empty")
            return .success
        }
        let palette = context.palette(style.color, isOutput: true)
        let now = context.wallClock()
        let header = ["ID", "SIZE", "MADE", "EXPIRES", "USED", "HITS", "PRESET", "SOURCE"]
        let rows = [header] + entries.map { $0.row(now: now) }
        for (index, line) in TextTable.lines(rows).enumerated() {
            context.print(index == 0 ? palette.paint(line, .bold) : line)
        }
        return .success
    }
}

extension CacheEntry {
    private static let mostNames = 3

    private var shownNames: String {
        guard !names.isEmpty else { return String(id.prefix(Self.keyDigits)) }
        let more = names.count - Self.mostNames
        return names.prefix(Self.mostNames).joined(separator: ", ")
            + (more > 0 ? " + \(more) more" : "")
    }

    private var shownPreset: String {
        switch kind {
        case .result: preset ?? "-"
        case .source: "(source)"
        case .partialSource: "(part of a source)"
        }
    }

    fileprivate func row(now: Double) -> [String] {
        let expiry = expiresAt.map { Timestamp.relative($0, now: now) } ?? "-"
        return [
            shownNames.escaped, "\(ByteSize(bytes: bytes))",
            Timestamp.relative(createdAt, now: now),
            isPinned ? "pinned" : expiry, Timestamp.relative(lastAccessAt, now: now), "\(hits)",
            shownPreset.escaped, source.escaped,
        ]
    }
}
