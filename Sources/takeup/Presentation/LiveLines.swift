import TakeupLanes

/// A few lines at the foot of a terminal that are drawn anew, with text that stays above them.
///
/// Without a terminal it draws nothing and lets the text through.
final class LiveLines: TextSink {
    private struct State {
        var drawn: [String] = []
        var isClosed = false
    }

    private let sink: any TextSink
    private let columns: @Sendable () -> Int
    private let state = Locked(State())
    let isOn: Bool

    init(_ context: CommandContext, isQuiet: Bool) {
        (sink, columns) = (context.diagnostics, context.columns)
        isOn = context.terminal.diagnosticsIsTerminal && !context.terminal.isDumb && !isQuiet
    }

    /// Shows these lines in the place of those before; each must fit into one row.
    func draw(_ lines: [String]) {
        guard isOn else { return }
        // Written under the lock: pieces of two writers would take each other's rows.
        state.withLock { state in
            guard !state.isClosed, lines != state.drawn else { return }
            let text = lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n")
            let back = home(state.drawn)
            sink.write(back + text + (lines.count < state.drawn.count ? "\u{1B}[J" : ""))
            state.drawn = lines
        }
    }

    /// Takes whole lines that stay.
    func write(_ text: String) {
        state.withLock { state in
            let clear = state.drawn.isEmpty ? "" : "\(home(state.drawn))\u{1B}[J"
            sink.write(clear + text + state.drawn.joined(separator: "\n"))
        }
    }

    /// Takes the lines away for good.
    func close() {
        state.withLock { state in
            if !state.drawn.isEmpty { sink.write("\(home(state.drawn))\u{1B}[J") }
            (state.drawn, state.isClosed) = ([], true)
        }
    }

    /// The way to the first of the drawn rows, of which a terminal that was made narrower has more.
    private func home(_ drawn: [String]) -> String {
        guard !drawn.isEmpty else { return "" }
        let width = max(1, columns())
        let rows = drawn.reduce(0) { $0 + max(1, ($1.displayWidth + width - 1) / width) }
        return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
    }
}
