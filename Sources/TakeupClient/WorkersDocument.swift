internal import TakeupIntake
internal import TakeupJobs

/// What the API answers about workers.
struct WorkersDocument: Decodable {
    struct Worker: Decodable {
        var id: String
        var host: String
        var process: Int
        var version: String
        var state: String
        var lanes: Int
        var jobs: Int
        var queues: [String]?
        var tags: [String]
        var startedAt: String
        var lastSeenAt: String
    }

    /// The time now, by the clock that dates the workers.
    var time: String
    var registered: [Worker]
}

extension WorkersDocument {
    /// The register and its time; nil where the server writes no time.
    var register: (workers: [WorkerEntry], time: Double)? {
        guard let now = PointInTime.seconds(parsing: time) else { return nil }
        return (registered.map { Self.entry($0, at: now) }, now)
    }

    private static func entry(_ worker: Worker, at now: Double) -> WorkerEntry {
        var entry = WorkerEntry(
            id: WorkerID(rawValue: worker.id), host: worker.host, process: worker.process,
            version: worker.version, state: WorkerEntry.State(rawValue: worker.state) ?? .working,
            lanes: worker.lanes, running: worker.jobs,
            scope: ClaimScope(queues: worker.queues.map(Set.init), tags: Set(worker.tags)))
        entry.startedAt = PointInTime.seconds(parsing: worker.startedAt) ?? now
        let seen = PointInTime.seconds(parsing: worker.lastSeenAt) ?? now
        // Times are told in whole seconds: what the server has found silent stays so.
        entry.seenAt =
            worker.state == "silent" ? min(seen, now - WorkerEntry.silentSeconds) : seen
        return entry
    }
}
