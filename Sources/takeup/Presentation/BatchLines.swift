import TakeupJobs
import TakeupService

/// Draws a batch: a bar over all jobs, and a line a lane.
struct BatchLines: Sendable, Equatable {
    let showsUnicode: Bool

    /// One row each, at most `rows` of them; the last column of the terminal stays free.
    func lines(_ board: BatchProgress, now: Double, columns: Int, rows: Int) -> [String] {
        let room = max(0, columns - 1)
        var lines = [overall(board, now: now, room: room)]
        lines += LaneLines(showsUnicode: showsUnicode)
            .lines(board.lanes, columns: columns, rows: rows - 3)
        if let reason = board.pauseReason {
            lines.append("  paused: \(reason.escaped)".fitted(to: room))
        }
        return lines
    }

    /// The same in one line, for logs.
    func plain(_ board: BatchProgress, now: Double) -> String {
        let parts = words(board, now: now).map {
            $0.split(separator: " ").joined(separator: " ")
        }
        return parts.joined(separator: ", ")
    }

    private func overall(_ board: BatchProgress, now: Double, room: Int) -> String {
        let words = words(board, now: now)
        let text = words.joined(separator: "  ")
        let barRoom = min(30, room - text.count - 4)
        guard barRoom < 5 else {
            let filled = Int((Double(barRoom) * board.fraction).rounded(.down))
            let (full, empty) = showsUnicode ? ("█", "░") : ("#", "-")
            let bar =
                String(repeating: full, count: filled)
                + String(repeating: empty, count: barRoom - filled)
            return "[\(bar)]  \(text)"
        }
        var kept = words
        while kept.count > 1, kept.joined(separator: "  ").count > room { kept.removeLast() }
        return kept.joined(separator: "  ").fitted(to: room)
    }

    /// Most important first.
    private func words(_ board: BatchProgress, now: Double) -> [String] {
        var words = [
            "\(LaneLines.percent(board.fraction)) %", "\(board.done)/\(board.total) jobs",
        ]
        if let seconds = board.eta(now: now) { words.append("ETA \(ClockText.coarse(seconds))") }
        if board.count(.failed) > 0 { words.append("\(board.count(.failed)) failed") }
        if board.count(.cached) > 0 { words.append("\(board.count(.cached)) cached") }
        return words
    }
}
