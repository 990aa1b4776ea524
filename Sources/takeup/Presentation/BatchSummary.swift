import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupService

/// What a batch came to, for people and for scripts.
struct BatchSummary: Sendable, Equatable {
    let board: BatchProgress
    let seconds: Double

    var json: JSONValue {
        [
            "type": "summary", "succeeded": .whole(board.count(.succeeded)),
            "cached": .whole(board.count(.cached)), "failed": .whole(board.count(.failed)),
            "cancelled": .whole(board.count(.cancelled)), "seconds": .measured(seconds),
        ]
    }

    var lines: [String] {
        var rows = JobEnding.Status.allCases.filter { board.count($0) > 0 }
            .map { [$0.rawValue, "\(board.count($0))"] }
        let left = board.total - board.done
        if left > 0 { rows.append(["left", "\(left)"]) }
        if board.bytes > 0 { rows.append(["size", size]) }
        rows.append(["took", time])
        return failures + TextTable.lines(rows)
    }

    private var size: String {
        let size = "\(ByteSize(bytes: board.bytes))"
        guard board.sourceBytes > 0 else { return size }
        let percent = Double(board.comparedBytes) / Double(board.sourceBytes) * 100
        return "\(size) (\(Decimals.text(percent, digits: 2)) % of the sources)"
    }

    private var time: String {
        let time = "\(Decimals.text(seconds, digits: 2)) s"
        guard board.mediaSeconds > 0, seconds > 0 else { return time }
        return "\(time) (\(Decimals.text(board.mediaSeconds / seconds, digits: 2))x)"
    }

    private var failures: [String] {
        guard !board.failures.isEmpty else { return [] }
        let rows =
            [["FAILED", "REASON"]]
            + board.failures.flatMap { ending -> [[String]] in
                guard let fault = ending.fault else { return [] }
                let reason = [
                    ending.spec.title.escaped, "\(fault.message.escaped) (\(fault.code))",
                ]
                return fault.advice.isEmpty ? [reason] : [reason, ["", fault.advice.escaped]]
            }
        let more = board.count(.failed) - board.failures.count
        let rest =
            more > 0 ? ["and \(more) more: 'takeup jobs list --state failed' names them"] : []
        return TextTable.lines(rows) + rest + [""]
    }
}
