import TakeupJobs
import TakeupModel

/// Draws what the lanes of a worker do, a line each.
struct LaneLines: Sendable, Equatable {
    let showsUnicode: Bool

    /// At most `rows` of them; the last column of the terminal stays free.
    func lines(_ board: LaneBoard, columns: Int, rows: Int) -> [String] {
        let room = max(0, columns - 1)
        let lanes = board.running.sorted { $0.key < $1.key }.map(\.value)
        let shown = lanes.prefix(max(0, rows))
        var lines = shown.map { line($0, room: room) }
        if lanes.count > shown.count {
            lines.append("  and \(lanes.count - shown.count) more".fitted(to: room))
        }
        return lines
    }

    /// Such as ` 42 %  encode   2.1x  ETA 0:12  clip.mov`.
    private func line(_ running: LaneBoard.Running, room: Int) -> String {
        let progress = running.progress ?? JobProgress(phase: "begin", fraction: 0)
        let speed = progress.speed.flatMap { speed in
            speed.isFinite && speed >= 0
                ? "\(Decimals.text(speed, digits: 2))\(showsUnicode ? "×" : "x")" : nil
        }
        let eta = progress.etaSeconds.flatMap { seconds in
            seconds.isFinite && seconds >= 0 ? "ETA \(ClockText.coarse(seconds))" : nil
        }
        let cells = [
            "  \(Self.percent(progress.fraction)) %",
            TextTable.padded(progress.phase.escaped, to: 7),
            TextTable.padded(speed ?? "", to: 5), TextTable.padded(eta ?? "", to: 9),
            (running.title ?? running.job.rawValue).escaped,
        ]
        return cells.joined(separator: "  ").fitted(to: room)
    }

    /// Three places wide.
    static func percent(_ fraction: Double) -> String {
        let share = fraction.isFinite ? min(max(fraction, 0), 1) : 0
        let number = "\(Int((share * 100).rounded(.down)))"
        return String(repeating: " ", count: 3 - number.count) + number
    }
}
