public import TakeupModel

/// Everything that the queue knows of one job.
///
/// Times are seconds since 1970.
public struct JobRecord: Sendable, Equatable {
    public var spec: JobSpec
    public var machine: JobStateMachine
    /// Rises with every claim.
    public var token: Int64
    public var owner: WorkerID?
    public var leaseUntil: Double?
    public var createdAt: Double
    /// Not to be claimed before.
    public var runAt: Double
    public var startedAt: Double?
    public var finishedAt: Double?
    /// The key of the work; nil until a worker has read the sources.
    public var workKey: String?
    public var publication: Publication?
    public var progress: JobProgress?
    /// What the job made last, also where a later attempt came to nothing: its output may stand still.
    public var lastResult: JobResult?
    /// The failure of the last attempt that did not succeed.
    public var fault: Failure?
    /// Why it waits, for people; nil when there is nothing to say.
    public var note: String?
    /// Rises with every job that is accepted.
    var sequence: Int64 = 0
    /// What the sources were when the job was accepted, in their order; empty where nothing is known.
    public var sourceMarks: [SourceMark?] = []

    public var id: JobID { spec.id }
    /// What the job made; nil once it has ended without a result.
    public var result: JobResult? {
        switch state {
        case .failed, .cancelled, .quarantined: nil
        case .queued, .scheduled, .running, .succeeded, .cached: lastResult
        }
    }
    public var state: JobState { machine.state }
    /// Whether it waits or runs, and nobody has asked to cancel it.
    package var isUnderWay: Bool { !state.isTerminal && !machine.isCancelRequested }
}

extension JobRecord {
    /// The same job as a claim makes it.
    func claimed(
        _ token: Int64, by worker: WorkerID, until leaseUntil: Double, at time: Double
    ) -> JobRecord {
        var job = self
        _ = job.machine.apply(.claimed)
        (job.token, job.owner, job.leaseUntil, job.startedAt) = (token, worker, leaseUntil, time)
        (job.finishedAt, job.workKey, job.progress, job.note) = (nil, nil, nil, nil)
        return job
    }

    /// A job as another process tells of it; what it does not tell stays empty.
    package init(_ spec: JobSpec, _ machine: JobStateMachine, at cursor: JobCursor) {
        self.init(
            spec: spec, machine: machine, token: 0, createdAt: cursor.createdAt,
            runAt: cursor.createdAt, sequence: cursor.sequence)
    }
}
