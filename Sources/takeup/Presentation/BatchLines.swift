import TakeupJobs

/// Draws a batch: a bar over all jobs, and a line a lane.
struct BatchLines: Sendable, Equatable {
    let showsUnicode: Bool

    /// One row each, at most `rows` of them; the last column of the terminal stays free.
    func lines(_ board: BatchBoard, now: Double, columns: Int, rows: Int) -> [String] {
        let room = max(0, columns - 1)
        let lanes = board.running.sorted { $0.key < $1.key }.map(\.value)
        let shown = lanes.prefix(max(0, rows - 3))
        var lines = [overall(board, now: now, room: room)] + shown.map { lane($0, room: room) }
        if lanes.count > shown.count {
            lines.append("  and \(lanes.count - shown.count) more".fitted(to: room))
        }
        if let reason = board.pauseReason {
            lines.append("  paused: \(reason.escaped)".fitted(to: room))
        }
        return lines
    }

    /// The same in one line, for logs.
    func plain(_ board: BatchBoard, now: Double) -> String {
        let parts = words(board, now: now).map {
            $0.split(separator: " ").joined(separator: " ")
        }
        return parts.joined(separator: ", ")
    }

    private func overall(_ board: BatchBoard, now: Double, room: Int) -> String {
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
    private func words(_ board: BatchBoard, now: Double) -> [String] {
        var words = [
            "\(percent(board.fraction)) %", "\(board.done)/\(board.total) jobs",
        ]
        if let seconds = board.eta(now: now) { words.append("ETA \(ClockText.coarse(seconds))") }
        if board.count(.failed) > 0 { words.append("\(board.count(.failed)) failed") }
        if board.count(.cached) > 0 { words.append("\(board.count(.cached)) cached") }
        return words
    }

    /// Such as ` 42 %  encode   2.1x  ETA 0:12  clip.mov`.
    private func lane(_ running: BatchBoard.Running, room: Int) -> String {
        let progress = running.progress ?? JobProgress(phase: "begin", fraction: 0)
        let speed = progress.speed.flatMap { speed in
            speed.isFinite && speed >= 0
                ? "\(Decimals.text(speed, digits: 2))\(showsUnicode ? "×" : "x")" : nil
        }
        let eta = progress.etaSeconds.flatMap { seconds in
            seconds.isFinite && seconds >= 0 ? "ETA \(ClockText.coarse(seconds))" : nil
        }
        let cells = [
            "  \(percent(progress.fraction)) %", TextTable.padded(progress.phase.escaped, to: 7),
            TextTable.padded(speed ?? "", to: 5), TextTable.padded(eta ?? "", to: 9),
            (running.title ?? running.job.rawValue).escaped,
        ]
        return cells.joined(separator: "  ").fitted(to: room)
    }

    /// Three places wide.
    private func percent(_ fraction: Double) -> String {
        let share = fraction.isFinite ? min(max(fraction, 0), 1) : 0
        let number = "\(Int((share * 100).rounded(.down)))"
        return String(repeating: " ", count: 3 - number.count) + number
    }
}
