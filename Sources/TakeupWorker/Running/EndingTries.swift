internal import TakeupJobs

/// Writes the end of an attempt again when the queue's database fails: the work is done, and only its end is missing.
enum EndingTries {
    /// Seconds before each further try.
    ///
    /// Together they are well within a lease, which is renewed meanwhile.
    static let pauses = [0.1, 0.3, 1, 3]

    /// - Parameters:
    ///   - pause: Is told the error and waits so many seconds; `false` says that the lease is lost, and that another try is in vain.
    ///   - write: The write.
    /// - Returns: What the write returns.
    /// - Throws: What the last try threw.
    static func write<Value>(
        pause: (Double, JobStoreError) -> Bool, _ write: () throws(JobStoreError) -> Value
    ) throws(JobStoreError) -> Value {
        for seconds in pauses {
            do throws(JobStoreError) {
                return try write()
            } catch {
                guard case .store = error, pause(seconds, error) else { throw error }
            }
        }
        return try write()
    }
}
