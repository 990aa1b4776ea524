internal import Foundation
internal import TakeupDigest
internal import TakeupFiles

/// An output as its job has recorded it: a source goes only for one that is still so.
public struct FinishedOutput: Sendable, Equatable {
    public let path: String
    public let bytes: Int64
    /// 64 lower-case hexadecimal digits.
    public let sha256: String

    public init(path: String, bytes: Int64, sha256: String) {
        (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
    }

    /// Reads the output and compares it with what was recorded.
    ///
    /// - Parameter isStopped: Asked while it is read.
    /// - Throws: `WatchError.unavailable` when it is not there any more or holds something else, and when it was stopped.
    public func require(isStopped: () -> Bool = { false }) throws(WatchError) {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            throw .unavailable(
                path: path, reason: "the output: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        try require(file, isStopped: isStopped)
    }

    /// Compares an open file with what was recorded.
    func require(
        _ descriptor: Int32, isStopped: () -> Bool = { false }
    ) throws(WatchError) {
        var facts = stat()
        let digest = try? SHA256Digest.ofFile(descriptor, isStopped: isStopped)
        guard fstat(descriptor, &facts) == 0, facts.st_size == bytes, digest == sha256 else {
            throw .unavailable(path: path, reason: "the output is another file by now")
        }
    }
}
