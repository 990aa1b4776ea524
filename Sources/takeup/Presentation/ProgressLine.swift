import TakeupModel
import TakeupJobs

/// Draws the progress of an export or a job as text.
struct ProgressLine: Sendable, Equatable {
    let showsUnicode: Bool

    /// The widest line that fits: the bar shrinks first, then goes, then what matters least.
    ///
    /// The last column of the terminal stays free.
    func bar(_ progress: JobProgress, columns: Int) -> String {
        let words = parts(progress)
        let room = max(0, columns - 1)
        let text = words.joined(separator: "  ")
        let barRoom = min(30, room - text.count - 4)
        if barRoom >= 5 {
            let filled = Int((Double(barRoom) * progress.fraction).rounded(.down))
            let (full, empty) = showsUnicode ? ("█", "░") : ("#", "-")
            let bar =
                String(repeating: full, count: filled)
                + String(repeating: empty, count: barRoom - filled)
            return "[\(bar)]  \(text)"
        }
        var kept = words
        while kept.count > 1, kept.joined(separator: "  ").count > room { kept.removeLast() }
        return String(kept.joined(separator: "  ").prefix(room))
    }

    /// One line of its own, for logs.
    func plain(_ progress: JobProgress) -> String {
        parts(progress)
            .map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: ", ")
    }

    /// Percent, phase, speed, time left: most important first.
    private func parts(_ progress: JobProgress) -> [String] {
        let percent = Int((min(max(progress.fraction, 0), 1) * 100).rounded(.down))
        let number = "\(percent)"
        var parts = [String(repeating: " ", count: 3 - number.count) + number + " %"]
        parts.append(TextTable.padded(progress.phase, to: 7))
        if let speed = progress.speed, speed.isFinite, speed >= 0 {
            parts.append("\(Decimals.text(speed, digits: 2))\(showsUnicode ? "×" : "x")")
        }
        if let seconds = progress.etaSeconds, seconds.isFinite, seconds >= 0 {
            parts.append("ETA \(ClockText.coarse(seconds))")
        }
        return parts
    }
}

extension JobProgress {
    init(_ progress: ExportProgress) {
        self.init(
            phase: progress.phase.rawValue, fraction: progress.fraction, speed: progress.speed,
            etaSeconds: progress.etaSeconds)
    }
}
