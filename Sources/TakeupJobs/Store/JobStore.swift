/// Where jobs live: durable, shared by every process that is given the same database.
///
/// Calls block, for as long as the database is busy, and may come from any lane. Each is one transaction. Times are
/// seconds since 1970 by the store's own clock. A write with a lease takes effect only while its token is the
/// job's present one and the job is running: `false` says that the lease is lost and nothing was written.
public protocol JobStore: Sendable {
    associatedtype StoreFailure: Error

    /// Accepts jobs, those that no queue takes left out; when this returns they are durable.
    ///
    /// A job whose id is known is not accepted twice: see `Acceptance`.
    func submit(_ specs: [JobSpec]) throws(StoreFailure) -> [Acceptance]

    /// Takes the job that comes next: priority, raised by waiting, then the order of acceptance.
    ///
    /// A job whose last attempt noted a work that a running job is doing now has to wait for that one.
    ///
    /// - Parameters:
    ///   - worker: Who takes it.
    ///   - leaseSeconds: How long it is the worker's without a sign of life.
    ///   - scope: Which jobs the worker takes; among keys, one of which few jobs run goes first.
    /// - Returns: nil when nothing may start now.
    /// - Throws: `StoreFailure` when the store cannot be read or written.
    func claim(
        by worker: WorkerID, leaseSeconds: Double, in scope: ClaimScope
    ) throws(StoreFailure) -> (Lease, JobRecord)?

    /// Extends leases and stores progress, in one transaction; passes over a job that somebody is changing.
    ///
    /// - Returns: One answer a beat, in order.
    func renew(_ beats: [Heartbeat], leaseSeconds: Double) throws(StoreFailure) -> [Renewal]

    /// Notes which work the job is, unless another running job is doing the same.
    func begin(_ lease: Lease, workKey: String) throws(StoreFailure) -> WorkAdmission

    /// Notes what is about to become visible.
    func announce(_ lease: Lease, _ publication: Publication) throws(StoreFailure) -> Bool

    /// Ends the attempt.
    ///
    /// - Returns: The state that the job is in now; nil when the lease is lost.
    func finish(_ lease: Lease, _ outcome: JobOutcome) throws(StoreFailure) -> JobState?

    /// Gives back the jobs whose lease ran out, and those of workers that are known to be dead.
    ///
    /// - Parameters:
    ///   - deadWorkers: Whose leases end, however long they would last.
    ///   - held: Tokens of the leases that the caller itself works under: it lives, so that these do not run out.
    ///   - takesExpired: Whether a lease that ran out ends: not while its worker may have had no time to renew it, as
    ///     after a pause of the machine or a jump of its clock.
    /// - Returns: The leases that ended so.
    /// - Throws: `StoreFailure` when the store cannot be read or written.
    func rescue(
        deadWorkers: [WorkerID], held: Set<Int64>, takesExpired: Bool
    ) throws(StoreFailure) -> [RescuedLease]

    /// Counts waits and leases anew that were counted from a time which has not come yet: the clock was ahead then.
    ///
    /// A time that a user gave stays.
    ///
    /// - Returns: How many there were.
    func settleClock() throws(StoreFailure) -> Int

    /// Every worker that has told of itself, and the time now by the clock that dates them.
    func workers() throws(StoreFailure) -> (workers: [WorkerEntry], time: Double)

    /// Every worker that holds a lease.
    func leaseholders() throws(StoreFailure) -> [WorkerID]

    func job(_ id: JobID) throws(StoreFailure) -> JobRecord?

    /// Jobs in the order of acceptance.
    func jobs(_ filter: JobFilter) throws(StoreFailure) -> [JobRecord]

    /// Reads the same jobs, and waits until the standbys of the server have what it read.
    ///
    /// Other reads may see a change that a failover takes back: one whose wait for a standby was cancelled, or cut off by a
    /// restart of the server. Read an end so before telling of it.
    func confirmed(_ filter: JobFilter) throws(StoreFailure) -> [JobRecord]

    /// A page of the list of jobs, the ones accepted last first; its price does not rise with the list.
    func list(_ listing: JobListing) throws(StoreFailure) -> JobPage

    /// The states of the jobs that `jobs` would return, without all the rest of them.
    func states(_ filter: JobFilter) throws(StoreFailure) -> [JobID: JobState]

    /// How many jobs are in each state.
    func counts() throws(StoreFailure) -> [JobState: Int]

    /// How many jobs wait and run, and how long the first of them; quick however many have ended.
    func depth() throws(StoreFailure) -> QueueDepth

    /// What the jobs ask for that wait or run; quick however many have ended.
    func demands() throws(StoreFailure) -> [JobDemand]

    /// Cancels a job, or asks its worker to; a terminal job stays as it is.
    ///
    /// - Returns: What the machine did; nil for an unknown job.
    func cancel(_ id: JobID) throws(StoreFailure) -> JobStateMachine.Action?

    /// Queues a terminal job again, with all its tries and whatever its sources are now; takes back a cancel that a
    /// running job has not yet followed.
    ///
    /// - Returns: What the machine did; nil for an unknown job.
    func retry(_ id: JobID) throws(StoreFailure) -> JobStateMachine.Action?

    /// Forgets jobs that have ended, a part at a time, so that nobody waits long for the database.
    ///
    /// - Parameters:
    ///   - seconds: How long ago those ended that are forgotten.
    ///   - most: How many are kept of the others: those that ended last.
    /// - Returns: How many were forgotten.
    /// - Throws: `StoreFailure` when the store cannot be read or written.
    func prune(olderThanSeconds seconds: Double, keeping most: Int) throws(StoreFailure) -> Int

    /// The jobs that a worker claims next if nothing changes, in that order, `limit` at most.
    ///
    /// The result has no jobs that may not start now, and no jobs that this version cannot read. Keys change no order here.
    func upcoming(limit: Int, in scope: ClaimScope) throws(StoreFailure) -> [JobSpec]

    /// Seconds until a job that waits may start: 0 when one may now; nil when none waits,
    /// or only for the end of one that runs.
    func secondsToNext() throws(StoreFailure) -> Double?
}

extension JobStore {
    /// Takes the job that comes next, whatever it asks for of queues; one that asks for tags stays.
    public func claim(
        by worker: WorkerID, leaseSeconds: Double
    ) throws(StoreFailure) -> (Lease, JobRecord)? {
        try claim(by: worker, leaseSeconds: leaseSeconds, in: ClaimScope())
    }

    /// As the other one, for a caller that works under no lease and has run steadily.
    public func rescue(deadWorkers: [WorkerID]) throws(StoreFailure) -> [RescuedLease] {
        try rescue(deadWorkers: deadWorkers, held: [], takesExpired: true)
    }

    /// Forgets jobs that ended at least so many seconds ago, however many there are.
    public func prune(olderThanSeconds seconds: Double) throws(StoreFailure) -> Int {
        try prune(olderThanSeconds: seconds, keeping: .max)
    }
}
