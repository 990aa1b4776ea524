internal import Foundation

extension FileLock {
    /// Seconds after which a wait fails: no holder needs its lock for longer than a few quick
    /// steps.
    public static let longestWait = 30.0
    /// Longest pause between two tries, in seconds.
    private static let longestPause = 0.05

    /// Takes a lock; waits while other holders prevent it.
    ///
    /// - Parameters:
    ///   - kind: The kind of lock.
    ///   - descriptor: The open file.
    ///   - seconds: The longest wait, at least 0.
    /// - Throws: `FileError.failed`: with `EWOULDBLOCK` if the wait was too long; also if the file
    ///   system has no locks.
    public static func wait(
        for kind: Kind, on descriptor: Int32, seconds: Double = longestWait
    ) throws(FileError) {
        let end = ContinuousClock.now + .seconds(seconds)
        var pause = 0.0005
        while try !acquire(kind, on: descriptor) {
            guard ContinuousClock.now < end else { throw .failed("a lock", errno: EWOULDBLOCK) }
            usleep(UInt32(pause * 1_000_000))
            pause = min(pause * 2, longestPause)
        }
    }
}
