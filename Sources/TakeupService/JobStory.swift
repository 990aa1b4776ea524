package import TakeupJobs
package import TakeupModel

/// The life of jobs as the objects of the contract: `started` first, `finished` once and last.
package struct JobStory: Sendable {
    /// Seconds between two `progress` objects of one job, at least.
    package static let progressInterval = 0.2

    /// What was told of a job that has not ended.
    private struct Told {
        var fraction = 0.0
        var progressAt: Double?
        var warnings: Set<JobResult.Warning> = []
    }

    private var told: [JobID: Told] = [:]

    package init() {}

    /// Tells that a job runs; a later attempt is not told again.
    package mutating func started(_ spec: JobSpec) -> [JSONValue] {
        guard told[spec.id] == nil else { return [] }
        told[spec.id] = Told()
        let members: JSONValue = [
            "source": spec.sourceJSON, "preset": .text(spec.request.preset.name),
        ]
        return [Self.event("started", spec.id, members)]
    }

    /// Tells how far a job is, unless that was told just before.
    ///
    /// - Parameters:
    ///   - spec: The job.
    ///   - progress: Its fraction never falls in what is told.
    ///   - now: Seconds of a clock that never goes back.
    /// - Returns: Nothing, or the objects in order.
    package mutating func progress(
        _ spec: JobSpec, _ progress: JobProgress, now: Double
    ) -> [JSONValue] {
        let before = started(spec)
        guard var job = told[spec.id] else { return before }
        if let last = job.progressAt, now - last < Self.progressInterval { return before }
        job.progressAt = now
        job.fraction = min(max(job.fraction, progress.fraction.isFinite ? progress.fraction : 0), 1)
        told[spec.id] = job
        let members: JSONValue = [
            "phase": .text(progress.phase),
            "fraction": .number((job.fraction * 10_000).rounded(.down) / 10_000),
            "speed": .measured(progress.speed), "eta": .measured(progress.etaSeconds),
        ]
        return before + [Self.event("progress", spec.id, members)]
    }

    /// Tells each warning once.
    package mutating func warning(_ spec: JobSpec, _ warning: JobResult.Warning) -> [JSONValue] {
        let before = started(spec)
        guard told[spec.id]?.warnings.insert(warning).inserted == true else { return before }
        return before + [Self.event("warning", spec.id, warning.json)]
    }

    /// Tells how a job ended, and forgets it.
    package mutating func finished(_ ending: JobEnding) -> [JSONValue] {
        var objects = started(ending.spec)
        let result = ending.result
        for warning in result?.warnings ?? [] { objects += self.warning(ending.spec, warning) }
        told[ending.spec.id] = nil
        let members: JSONValue = [
            "source": ending.spec.sourceJSON, "status": .text(ending.status.rawValue),
            "output": .text(optional: result?.output),
            "bytes": result.map { .integer($0.bytes) } ?? .null,
            "duration": .measured(result?.duration), "frames": .whole(result?.frames),
            "sha256": .text(optional: result?.sha256), "seconds": .measured(ending.seconds),
            "warnings": .list((result?.warnings ?? []).map(\.json)),
            "error": ending.fault?.json ?? .null,
        ]
        return objects + [Self.event("finished", ending.spec.id, members)]
    }

    /// Forgets a job that was given back, so that it is told anew.
    package mutating func forget(_ id: JobID) { told[id] = nil }

    private static func event(_ type: String, _ job: JobID, _ members: JSONValue) -> JSONValue {
        members.prefixed("job", .text(job.rawValue)).prefixed("type", .text(type))
    }
}
