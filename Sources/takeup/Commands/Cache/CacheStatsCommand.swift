import TakeupIntake
import TakeupModel
import TakeupService

/// Says what the cache holds and what it has been good for.
struct CacheStatsCommand: Command {
    static let specification = CommandSpecification(
        name: "stats",
        summary: "Say what the cache holds and what it has been good for",
        options: StateOptions.withCache + ServerOptions.specifications,
        examples: [.init(line: "takeup cache stats", effect: "sizes, hits and bytes saved")],
        make: { input throws(UsageError) in try CacheStatsCommand(input) })

    let style: OutputStyle
    private let options: CacheOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try CacheOptions(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let cache = try options.open(in: context)
        let figures = try cache.figures()
        if style.isJSON {
            context.print(figures.json)
        } else {
            TextTable.lines(Self.rows(figures)).forEach(context.print)
        }
        return .success
    }

    private static func rows(_ figures: CacheFigures) -> [[String]] {
        var hits = "\(figures.hits)"
        let requests = figures.hits.addingReportingOverflow(figures.misses)
        if !requests.overflow, requests.partialValue > 0 {
            let percent = Double(figures.hits) / Double(requests.partialValue) * 100
            hits +=
                " (\(Decimals.fixed(percent, places: 1)) % of \(requests.partialValue) requests)"
        }
        return [
            ["entries", "\(figures.entries)"], ["size", "\(ByteSize(bytes: figures.bytes))"],
            ["hits", hits], ["misses", "\(figures.misses)"],
            ["saved", saved(figures)], ["evictions", "\(figures.evictions)"],
            ["made", made(figures)],
            ["sources", "\(figures.sources), \(ByteSize(bytes: figures.sourceBytes))"],
            ["set aside", "\(figures.orphans), \(ByteSize(bytes: figures.orphanBytes))"],
            ["free", "\(ByteSize(bytes: figures.freeBytes))"],
        ]
    }

    /// What had to be done, and how fast it went.
    private static func made(_ figures: CacheFigures) -> String {
        let speed = figures.speed.map { ", \(Decimals.fixed($0, places: 1))x real time" } ?? ""
        return "\(figures.exports), \(figures.retries) retries\(speed)"
    }

    /// What was saved, and how that comes about: requests times size.
    private static func saved(_ figures: CacheFigures) -> String {
        let total = "\(ByteSize(bytes: figures.bytesSaved))"
        guard figures.hits > 0 else { return total }
        let mean = ByteSize(bytes: figures.bytesSaved / figures.hits)
        let noun = figures.hits == 1 ? "hit" : "hits"
        return "\(total) (\(figures.hits) \(noun) × \(mean) on average)"
    }
}
