internal import TakeupJobs
internal import TakeupSQL

/// Writes the end of an attempt again when the queue's database fails: the work is done, and only its end is missing.
enum EndingTries {
    /// Seconds before each further try.
    ///
    /// Together they are well within a lease, which is renewed meanwhile.
    static let pauses = [0.1, 0.3, 1, 3]
    /// Between the tries after these, while a server does not answer, or a file has no room or is locked.
    static let outagePause = 1.0

    /// - Parameters:
    ///   - pause: Is told the error and waits so many seconds; `false` says that another try is in vain, as after the loss of the lease.
    ///   - write: The write.
    /// - Returns: What the write returns.
    /// - Throws: What the last try threw. A database that may answer later is tried until `pause` says `false`.
    static func write<Value>(
        pause: (Double, JobStoreError) -> Bool, _ write: () throws(JobStoreError) -> Value
    ) throws(JobStoreError) -> Value {
        var pauses = Self.pauses[...]
        while true {
            do throws(JobStoreError) {
                return try write()
            } catch {
                guard case .store(let cause) = error,
                    let seconds = pauses.popFirst()
                        ?? (cause.mayPass ? Self.outagePause : nil),
                    pause(seconds, error)
                else { throw error }
            }
        }
    }
}

extension SQLError {
    /// Whether the same may succeed later: the server is away, somebody holds a lock, or a disk is full.
    var mayPass: Bool { isUnreachable || isBusy || isDiskFull || isOutcomeUnknown }
}
