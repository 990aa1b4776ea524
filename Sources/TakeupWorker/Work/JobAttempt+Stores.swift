internal import Foundation
internal import TakeupCache
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupSQL

extension JobAttempt {
    func queue<Value>(
        _ body: (SQLJobStore) throws(JobStoreError) -> Value
    ) throws(AttemptEnd) -> Value {
        let began = ContinuousClock.now
        while true {
            do throws(JobStoreError) {
                return try hold.asking { () throws(JobStoreError) in try body(tools.store) }
            } catch {
                guard case .store(let cause) = error, cause.mayPass else { throw .queue(error) }
                try awaitDatabase(cause, since: began)
            }
        }
    }

    /// Waits a moment for a database that does not answer, or is locked: while the lease stands, that costs no work.
    ///
    /// A commit that waits for a standby holds its locks as long.
    private func awaitDatabase(
        _ cause: SQLError, since began: ContinuousClock.Instant
    ) throws(AttemptEnd) {
        tools.noteOutage(cause)
        guard hold.stop == nil else { throw .stopped }
        // A server that is away ends the lease; a lock or a full disk may last for ever.
        guard cause.isUnreachable || ContinuousClock.now - began < Self.lockLimit else {
            throw waiting(cause)
        }
        usleep(Self.outageMicroseconds)
    }

    /// How long a lock or a full disk is waited for.
    private static let lockLimit = Duration.seconds(600)

    private func waiting(_ cause: SQLError) -> AttemptEnd {
        .outcome(
            .returned(note: "waits for the database: \(cause)", delaySeconds: waitSeconds))
    }

    /// Between two calls to a database that does not answer.
    private static let outageMicroseconds: UInt32 = 250_000

    func cache<Value>(
        _ body: (MediaCache) throws(CacheError) -> Value
    ) throws(AttemptEnd) -> Value {
        let began = ContinuousClock.now
        while true {
            do throws(CacheError) {
                return try hold.asking { () throws(CacheError) in try body(tools.cache) }
            } catch {
                switch error {
                case .store(let cause) where cause.isUnreachable || cause.isBusy:
                    try awaitDatabase(cause, since: began)
                case .objects where hold.stop != nil: throw .stopped
                case .objects(let failure)
                where failure.isOutage
                    && ContinuousClock.now - began < tools.configuration.objectsOutage:
                    try awaitObjects(failure)
                default: throw end(error)
                }
            }
        }
    }

    /// The manifest's, asked as the cache is.
    var digestMemory: DigestMemory {
        DigestMemory(
            find: { (identity) throws(AttemptEnd) in
                try self.cache { (cache) throws(CacheError) in
                    try cache.manifest.digest(of: identity)
                }
            },
            remember: { (digest, identity) throws(AttemptEnd) in
                try self.cache { (cache) throws(CacheError) in
                    try cache.manifest.remember(digest, of: identity)
                }
            })
    }

    /// Seconds between two looks at an object store, which has tried several times itself.
    private static let outageSeconds = 2

    private func awaitObjects(_ failure: Failure) throws(AttemptEnd) {
        tools.noteObjects(failure)
        for _ in 0..<(Self.outageSeconds * 4) {
            guard hold.stop == nil else { throw .stopped }
            usleep(Self.outageMicroseconds)
        }
    }

    /// What a cache that cannot be used means for the attempt.
    private func end(_ error: CacheError) -> AttemptEnd {
        if case .diskFull(let path) = error { return .noRoom(path: path, needBytes: 1) }
        if case .file(_, _, EMFILE) = error { return .tooManyFiles }
        if case .file(_, _, ENFILE) = error { return .tooManyFiles }
        if case .locked(let path) = error {
            // Whoever holds it has stopped in the middle: that is no fault of this job.
            return .outcome(
                .returned(note: "waits for the lock of \(path)", delaySeconds: waitSeconds))
        }
        if case .objects(let failure) = error {
            return end(failure, at: tools.cache.objects.name)
        }
        if case .notKnown = error { return .cacheLost(Failure(error)) }
        if case .gone(let path) = error {
            return .outcome(
                .returned(
                    note: "waits for the cache's own folder at \(path)",
                    delaySeconds: waitSeconds))
        }
        // What a database refuses is no fault of the job.
        if case .store(let cause) = error {
            tools.noteOutage(cause)
            return waiting(cause)
        }
        if let reason = error.reasonOfPlace {
            return .placeClosed(folder: tools.cache.objects.path, reason: reason)
        }
        return .outcome(.failed(.cache(error), retryable: true))
    }
}

extension JobAttempt {
    /// What an object store that refuses something means for the attempt; other jobs for `place` wait too.
    func end(_ failure: Failure, at place: String) -> AttemptEnd {
        if failure.isOutage {
            tools.noteObjects(failure)
            return .outcome(
                .returned(
                    note: "waits for the object store: \(failure.message)",
                    delaySeconds: waitSeconds))
        }
        let isOfPlace =
            failure.exitCode == .notPermitted || failure.exitCode == .configuration
            || failure.code == "bucketFull"
        if isOfPlace {
            return .placeClosed(folder: place, reason: failure.message)
        }
        return .outcome(.failed(failure, retryable: failure.disposition == .retry))
    }
}

extension Failure {
    /// Whether a server was away or had no time.
    fileprivate var isOutage: Bool { exitCode == .unavailable || exitCode == .temporary }
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
        case .store, .foreign, .notKnown, .gone, .unsafe, .sharedFileSystem, .diskFull, .locked,
            .objects, .ambiguous:
            nil
        }
    }
}
