import TakeupJobs

/// What each lane of a worker does now: a value that the display draws.
struct LaneBoard: Sendable, Equatable {
    /// What one lane does.
    struct Running: Sendable, Equatable {
        let job: JobID
        /// Nil for a job of which nothing but its id is known.
        let title: String?
        var progress: JobProgress?
    }

    /// By lane, from 0.
    private(set) var running: [Int: Running] = [:]

    mutating func start(_ job: JobID, lane: Int, title: String?) {
        running[lane] = Running(job: job, title: title, progress: nil)
    }

    mutating func advance(_ job: JobID, _ progress: JobProgress) {
        guard let lane = lane(of: job) else { return }
        running[lane]?.progress = progress
    }

    /// Frees the lane; the job may be tried again.
    mutating func leave(_ job: JobID) {
        guard let lane = lane(of: job) else { return }
        running[lane] = nil
    }

    private func lane(of job: JobID) -> Int? { running.first { $0.value.job == job }?.key }
}
