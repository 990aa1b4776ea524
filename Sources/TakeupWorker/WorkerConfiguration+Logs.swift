public import TakeupJobs

extension WorkerConfiguration {
    /// Where the log of a job's last attempt is, once there is one.
    ///
    /// - Parameters:
    ///   - job: Any job, also one that nobody knows.
    ///   - stateFolder: Of the worker that did it.
    /// - Returns: A path below the state folder.
    public static func logPath(of job: JobID, stateFolder: String) -> String {
        JobLogs.path(of: job, in: stateFolder)
    }
}
