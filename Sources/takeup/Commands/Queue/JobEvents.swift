import TakeupJobs
import TakeupModel

/// Writes the life of jobs as the JSON lines of the contract: `started` first, `finished` once and last.
struct JobEvents: Sendable {
    /// Seconds between two `progress` lines of one job, at least.
    static let progressInterval = 0.2

    /// What was told of a job that has not ended.
    private struct Told {
        var fraction = 0.0
        var progressAt: Double?
        var warnings: Set<JobResult.Warning> = []
    }

    private let output: any TextSink
    private let now: @Sendable () -> Double
    private var told: [JobID: Told] = [:]

    init(_ context: CommandContext) {
        (output, now) = (context.output, context.now)
    }

    /// A later attempt is not told again.
    mutating func started(_ spec: JobSpec) {
        guard told[spec.id] == nil else { return }
        told[spec.id] = Told()
        write(
            "started", spec.id,
            ["source": spec.sourceJSON, "preset": .text(spec.request.preset.name)])
    }

    mutating func progress(_ spec: JobSpec, _ progress: JobProgress) {
        started(spec)
        guard var job = told[spec.id] else { return }
        let time = now()
        if let last = job.progressAt, time - last < Self.progressInterval { return }
        job.progressAt = time
        job.fraction = min(max(job.fraction, progress.fraction.isFinite ? progress.fraction : 0), 1)
        told[spec.id] = job
        write(
            "progress", spec.id,
            [
                "phase": .text(progress.phase),
                "fraction": .number((job.fraction * 10_000).rounded(.down) / 10_000),
                "speed": .measured(progress.speed), "eta": .measured(progress.etaSeconds),
            ])
    }

    mutating func warning(_ spec: JobSpec, _ warning: JobResult.Warning) {
        started(spec)
        guard told[spec.id]?.warnings.insert(warning).inserted == true else { return }
        write("warning", spec.id, warning.json)
    }

    mutating func finished(_ ending: JobEnding) {
        started(ending.spec)
        let result = ending.result
        for warning in result?.warnings ?? [] { self.warning(ending.spec, warning) }
        told[ending.spec.id] = nil
        write(
            "finished", ending.spec.id,
            [
                "source": ending.spec.sourceJSON, "status": .text(ending.status.rawValue),
                "output": .text(optional: result?.output),
                "bytes": result.map { .integer($0.bytes) } ?? .null,
                "duration": .measured(result?.duration), "frames": .whole(result?.frames),
                "sha256": .text(optional: result?.sha256), "seconds": .measured(ending.seconds),
                "warnings": .list((result?.warnings ?? []).map(\.json)),
                "error": ending.fault?.json ?? .null,
            ])
    }

    private func write(_ type: String, _ job: JobID, _ members: JSONValue) {
        let event = members.prefixed("job", .text(job.rawValue)).prefixed("type", .text(type))
        output.write("\(event)\n")
    }
}
