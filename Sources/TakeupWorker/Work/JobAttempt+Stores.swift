internal import Foundation
internal import TakeupCache
internal import TakeupFiles
internal import TakeupJobs

extension JobAttempt {
    func queue<Value>(
        _ body: (SQLJobStore) throws(JobStoreError) -> Value
    ) throws(AttemptEnd) -> Value {
        do throws(JobStoreError) { return try body(tools.store) } catch { throw .queue(error) }
    }

    func cache<Value>(
        _ body: (MediaCache) throws(CacheError) -> Value
    ) throws(AttemptEnd) -> Value {
        do throws(CacheError) {
            return try body(tools.cache)
        } catch {
            if case .diskFull(let path) = error { throw .noRoom(path: path, needBytes: 1) }
            if case .locked(let path) = error {
                // Whoever holds it has stopped in the middle: that is no fault of this job.
                throw .outcome(
                    .returned(note: "waits for the lock of \(path)", delaySeconds: waitSeconds))
            }
            if case .notKnown(let path, _, _) = error {
                throw .outcome(
                    .returned(
                        note: "waits for the cache's own folder at \(path)",
                        delaySeconds: waitSeconds))
            }
            if let reason = error.reasonOfPlace {
                throw .placeClosed(folder: tools.cache.directory.path, reason: reason)
            }
            throw .outcome(.failed(.cache(error), retryable: true))
        }
    }
}

extension CacheError {
    /// Why nothing can be written there now, where that is the folder's or the disk's condition; else nil.
    fileprivate var reasonOfPlace: String? {
        switch self {
        case .notWritable(let path, let errno): FileError.notPermitted(path, errno: errno).reason
        // What is missing in it was there: that is no matter of rights or room.
        case .file(_, _, ENOENT): nil
        case .file(_, let path, let errno):
            FileError.failed(path, errno: errno).isOfPlace
                ? FileError.failed(path, errno: errno).reason : nil
        case .store, .foreign, .notKnown, .unsafe, .sharedFileSystem, .diskFull, .locked,
            .ambiguous:
            nil
        }
    }
}
