import TakeupModel
import TakeupJobs
import TakeupLanes

/// Writes an export's life as the JSON lines of the contract.
struct ExportEvents: Sendable {
    let job: String
    let output: any TextSink
    private let highest = Locked(0.0)

    init(job: String, output: any TextSink) {
        (self.job, self.output) = (job, output)
    }

    /// Returns a progress whose fraction lies between what was already shown and 1, also by an earlier try.
    func steady(_ progress: JobProgress) -> JobProgress {
        var progress = progress
        progress.fraction = highest.withLock { highest in
            if progress.fraction.isFinite { highest = min(max(progress.fraction, highest), 1) }
            return highest
        }
        return progress
    }

    func started(sources: [String], preset: String) {
        let names = sources.map(JSONValue.text)
        write(
            "started",
            ["source": names.count == 1 ? names[0] : .list(names), "preset": .text(preset)])
    }

    func progress(_ progress: JobProgress) {
        write(
            "progress",
            [
                "phase": .text(progress.phase),
                "fraction": .number((progress.fraction * 10_000).rounded(.down) / 10_000),
                "speed": .measured(progress.speed), "eta": .measured(progress.etaSeconds),
            ])
    }

    func warning(_ warning: ExportWarning) {
        write("warning", ["code": .text(warning.code), "message": .text(warning.message)])
    }

    func finished(_ report: ExportReport) {
        for warning in report.warnings { self.warning(warning) }
        write(
            "finished",
            [
                "status": "succeeded", "output": .text(report.output),
                "bytes": .integer(report.bytes), "duration": .time(report.duration),
                "frames": .integer(Int64(report.frames)), "sha256": .text(optional: report.sha256),
                "seconds": .measured(report.seconds),
                "warnings": .list(report.warnings.map(\.json)), "error": .null,
                "loss": report.loss?.json ?? .null, "poster": .text(optional: report.poster),
            ])
    }

    func finished(_ failure: Failure, after seconds: Double) {
        let isCancelled = failure.code == "cancelled"
        write(
            "finished",
            [
                "status": isCancelled ? "cancelled" : "failed", "output": .null, "bytes": .null,
                "duration": .null, "frames": .null, "sha256": .null,
                "seconds": .measured(seconds), "warnings": [], "error": failure.json,
            ])
    }

    private func write(_ type: String, _ members: JSONValue) {
        let event = members.prefixed("job", .text(job)).prefixed("type", .text(type))
        output.write("\(event)\n")
    }
}
