/// A worker's timed right to one job.
///
/// Its token is higher than that of every lease before it, so that what a late holder writes can be refused.
public struct Lease: Sendable, Hashable {
    public let job: JobID
    public let token: Int64
    public let worker: WorkerID

    public init(job: JobID, token: Int64, worker: WorkerID) {
        (self.job, self.token, self.worker) = (job, token, worker)
    }
}
