/// A call of FFmpeg's libraries that failed: what was tried, what came back, on what.
public struct FFmpegError: Error, Equatable, Sendable {
    /// What was tried; the raw value is stored in records and never changes.
    public enum Operation: String, Sendable {
        case allocate, open, findStreams, read, seek
        case openDecoder, decode, buildFilter, filter, openEncoder, encode
        case createOutput, addStream, writeHeader, write, finish, setOption
    }

    public let operation: Operation
    public let status: FFmpegStatus
    /// The file, stream or setting that it was tried on.
    public let subject: String

    public init(_ operation: Operation, status: FFmpegStatus, subject: String) {
        self.operation = operation
        self.status = status
        self.subject = subject
    }
}

extension FFmpegError: CustomStringConvertible {
    public var description: String {
        "\(operation.rawValue) failed on \(subject): \(status)"
    }
}
