internal import Foundation

extension FileLock {
    /// Seconds after which a wait ends: nobody keeps such a lock for longer than a few steps of its own.
    public static let longestWait = 30.0
    /// Seconds between two looks at most.
    private static let longestPause = 0.05

    /// Takes a lock, waiting for those who hold one that is in the way.
    ///
    /// - Parameters:
    ///   - kind: The kind of lock.
    ///   - descriptor: The open file.
    ///   - seconds: The longest wait, at least 0.
    /// - Throws: `FileError.failed`, with `EWOULDBLOCK` when the wait was too long, and where the file system has
    ///   no locks.
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
