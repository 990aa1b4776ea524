internal import Foundation
public import TakeupFetch
public import TakeupJobs
public import TakeupMediaClient
public import TakeupS3

/// How a worker works.
public struct WorkerConfiguration: Sendable {
    /// The most lanes of one worker.
    public static let mostLanes = 64

    /// Jobs at once: 1 to 64; a worker throws `WorkerError.lanes` for any other number.
    public var lanes: Int
    /// How long a job stays with a worker that gives no sign of life, in seconds.
    public var leaseSeconds = 30.0
    /// How long running jobs may go on after `drain`, in seconds.
    public var drainSeconds = 60.0
    /// Seconds between two looks at an empty queue of this machine.
    public var idleSeconds = 0.25
    /// Which jobs it takes.
    public var scope = ClaimScope()
    /// Where the logs of jobs are; a queue for programs keeps its database there too.
    public var stateFolder: String
    public var helper = HelperConfiguration()
    /// Fetches the sources that are addresses; without one, such jobs fail.
    public var sources: SourceLibrary?
    /// Leads to the buckets of outputs that are in one; nil takes what the results' own bucket has.
    public var objects: S3Environment?
    /// How long the queue remembers jobs that have ended; their results are the cache's matter.
    public var retention = JobRetention()
    /// Gives named outputs as second names of the cache's files where no reflink can be made.
    ///
    /// A program that changes such an output in place changes the cache's file too.
    public var usesHardLinks = false
    /// How long a job keeps a finished result for an object store that does not answer; then it goes back to the queue.
    var objectsOutage = Duration.seconds(600)
    /// Kills this process at one named point; for tests of what a kill leaves.
    var failpoint: Failpoint.Plan?

    public init(stateFolder: String, lanes: Int = WorkerConfiguration.standardLanes) {
        (self.stateFolder, self.lanes) = (stateFolder, lanes)
        failpoint = Failpoint.Plan(ProcessInfo.processInfo.environment["TAKEUP_FAILPOINT"])
    }

    /// One for two cores, but two at least where there are two: a lane waits now and then, for the disk or at the end
    /// of its file.
    public static var standardLanes: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return min(mostLanes, max(min(cores, 2), cores / 2))
    }
}
