internal import TakeupCache
internal import TakeupJobs

extension JobWork {
    func queue<Value>(
        _ body: (SQLiteJobStore) throws(JobStoreError) -> Value
    ) throws(WorkEnd) -> Value {
        do throws(JobStoreError) { return try body(tools.store) } catch { throw .queue(error) }
    }

    func cache<Value>(
        _ body: (MediaCache) throws(CacheError) -> Value
    ) throws(WorkEnd) -> Value {
        do throws(CacheError) {
            return try body(tools.cache)
        } catch {
            if case .diskFull(let path) = error { throw .noRoom(path: path, needBytes: 1) }
            if case .locked(let path) = error {
                // Whoever holds it has stopped in the middle: that is no fault of this job.
                throw .outcome(
                    .returned(note: "waits for the lock of \(path)", delaySeconds: waitSeconds))
            }
            throw .outcome(.failed(.cache(error), retryable: true))
        }
    }
}
