/// A call of FFmpeg's libraries that failed, in words: it stays true where the libraries are not.
public struct MediaFailure: Error, Sendable, Equatable, Codable {
    /// What was tried: `open`, `read`, `decode`, `encode`, `write` and the like; stored in records, never changed.
    public var operation: String
    /// FFmpeg's status: a negative `errno`, or a negative number of its own.
    public var code: Int32
    /// What FFmpeg says of the status.
    public var reason: String
    /// The file, stream or setting that it was tried on.
    public var subject: String

    public init(operation: String, code: Int32, reason: String, subject: String) {
        (self.operation, self.code) = (operation, code)
        (self.reason, self.subject) = (reason, subject)
    }
}

extension MediaFailure: CustomStringConvertible {
    public var description: String { "\(operation) failed on \(subject): \(reason)" }
}
