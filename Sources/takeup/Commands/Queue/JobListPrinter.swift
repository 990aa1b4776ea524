import TakeupJobs
import TakeupModel

/// Prints jobs as they come: a table for people, or one array for scripts.
struct JobListPrinter {
    private static let header = ["ID", "STATE", "SINCE", "PRESET", "SOURCE"]

    private let context: CommandContext
    private let style: OutputStyle
    private(set) var count = 0
    /// Widths of the columns so far; later rows may be wider.
    private var widths: [Int] = []

    init(_ context: CommandContext, _ style: OutputStyle) {
        (self.context, self.style) = (context, style)
    }

    mutating func show(_ records: [JobRecord]) {
        guard !records.isEmpty else { return }
        defer { count += records.count }
        if style.isJSON {
            let lines = records.map { "\($0.json)" }.joined(separator: ",\n")
            context.output.write(count == 0 ? "[\(lines)" : ",\n\(lines)")
            return
        }
        let now = context.wallClock()
        let rows = records.map { $0.row(now: now) }
        widths = TextTable.widths((count == 0 ? [Self.header] : []) + rows, atLeast: widths)
        if count == 0 {
            let palette = context.palette(style.color, isOutput: true)
            context.print(palette.paint(TextTable.line(Self.header, widths), .bold))
        }
        for row in rows { context.print(TextTable.line(row, widths)) }
    }

    /// Closes the array; call it once, after everything.
    func end() {
        if style.isJSON { context.output.write(count == 0 ? "[]\n" : "]\n") }
    }
}

extension JobRecord {
    fileprivate func row(now: Double) -> [String] {
        var state = self.state.rawValue
        if let progress, self.state == .running {
            state += " \(Decimals.fixed(progress.fraction * 100, places: 0)) %"
        }
        let since = finishedAt ?? startedAt ?? createdAt
        let count = spec.request.composition.mediaSources.count
        let more = count > 1 ? " and \(count - 1) more" : ""
        return [
            id.rawValue.escaped, state, Timestamp.relative(since, now: now),
            spec.request.preset.name.escaped, (spec.shownSources.first ?? "").escaped + more,
        ]
    }
}
