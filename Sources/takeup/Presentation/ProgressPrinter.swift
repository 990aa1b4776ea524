import TakeupJobs
import TakeupLanes

/// Shows progress on standard error: one redrawn line on a terminal, a line now and then elsewhere.
final class ProgressPrinter: Sendable {
    /// Seconds between two lines that stay.
    static let plainInterval = 10.0

    private struct State {
        var lastPlain: Double
        var isDrawn = false
        var isClosed = false
    }

    private let sink: any TextSink
    private let line: ProgressLine
    private let redraws: Bool
    private let columns: @Sendable () -> Int
    private let now: @Sendable () -> Double
    private let state: Locked<State>

    init(_ context: CommandContext) {
        sink = context.diagnostics
        line = ProgressLine(showsUnicode: context.terminal.showsUnicode)
        redraws = context.terminal.diagnosticsIsTerminal && !context.terminal.isDumb
        (columns, now) = (context.columns, context.now)
        state = Locked(State(lastPlain: context.now()))
    }

    func show(_ progress: JobProgress) {
        redraws ? redraw(progress) : addLine(progress)
    }

    /// Writes lines that stay, above the drawn one.
    func write(_ lines: [String]) {
        let wasDrawn = state.withLock { state in
            defer { state.isDrawn = false }
            return state.isDrawn
        }
        sink.write((wasDrawn ? "\r\u{1B}[K" : "") + lines.map { $0 + "\n" }.joined())
    }

    /// Takes the drawn line away for good; what comes later is not shown.
    func close() {
        let wasDrawn = state.withLock { state in
            defer { (state.isDrawn, state.isClosed) = (false, true) }
            return state.isDrawn
        }
        if wasDrawn { sink.write("\r\u{1B}[K") }
    }

    private func redraw(_ progress: JobProgress) {
        let isOpen = state.withLock { state in
            state.isDrawn = !state.isClosed
            return !state.isClosed
        }
        guard isOpen else { return }
        sink.write("\r\(line.bar(progress, columns: columns()))\u{1B}[K")
    }

    private func addLine(_ progress: JobProgress) {
        let time = now()
        let isDue = state.withLock { state in
            guard !state.isClosed, time - state.lastPlain >= Self.plainInterval else {
                return false
            }
            state.lastPlain = time
            return true
        }
        if isDue { sink.write("takeup: \(line.plain(progress))\n") }
    }
}
