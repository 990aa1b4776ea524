import TakeupJobs
import TakeupService

/// Where a batch stands: a value that the display draws and the summary tells.
struct BatchProgress: Sendable, Equatable {
    /// Failures that the summary names; the queue lists all of them.
    static let mostFailures = 50

    let total: Int
    /// Seconds of the clock when it began.
    let beganAt: Double
    private(set) var counts: [JobEnding.Status: Int] = [:]
    /// Jobs without a title are none of the batch's: a worker takes what comes next in the queue.
    var lanes = LaneBoard()
    private(set) var failures: [JobEnding] = []
    /// Bytes of all results.
    private(set) var bytes: Int64 = 0
    /// Bytes of the sources whose sizes are known, and of the results that came from them.
    private(set) var sourceBytes: Int64 = 0
    private(set) var comparedBytes: Int64 = 0
    /// Media seconds that were exported, without what was cached.
    private(set) var mediaSeconds = 0.0
    /// Why nothing is started for now.
    var pauseReason: String?

    init(total: Int, beganAt: Double) {
        (self.total, self.beganAt) = (total, beganAt)
    }

    var done: Int { counts.values.reduce(0, +) }

    func count(_ status: JobEnding.Status) -> Int { counts[status, default: 0] }

    /// Counts an end, and the bytes of the job's sources together where they are known.
    mutating func end(_ ending: JobEnding, sourceBytes size: Int64?) {
        counts[ending.status, default: 0] += 1
        if ending.status == .failed, failures.count < Self.mostFailures { failures.append(ending) }
        guard let result = ending.result else { return }
        bytes += result.bytes
        if let size {
            sourceBytes += size
            comparedBytes += result.bytes
        }
        if ending.status == .succeeded { mediaSeconds += result.duration }
    }

    /// 0 to 1 over all jobs, those that run counted by how far they are.
    var fraction: Double {
        total == 0 ? 1 : min(1, (Double(done) + runningShare) / Double(total))
    }

    /// Seconds left, at the pace so far of what was exported; nil before it can be told.
    ///
    /// What was cached or failed says nothing about how long the others take.
    func eta(now: Double) -> Double? {
        let worked = Double(count(.succeeded)) + runningShare
        let work = Double(total - done + count(.succeeded))
        let elapsed = now - beganAt
        guard work > 0, worked / work > 0.005, elapsed >= 1 else { return nil }
        return elapsed * (work - worked) / worked
    }

    private var runningShare: Double {
        lanes.running.values.filter { $0.title != nil }
            .reduce(0) { $0 + min(max($1.progress?.fraction ?? 0, 0), 1) }
    }
}
