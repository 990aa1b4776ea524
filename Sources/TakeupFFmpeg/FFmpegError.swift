/// A failed call of an FFmpeg library: its operation, status and subject.
public struct FFmpegError: Error, Equatable, Sendable {
    /// The failed operation; raw values are stored in records and never change.
    public enum Operation: String, Sendable {
        case allocate, open, findStreams, read, seek
        case openDecoder, decode, buildFilter, filter, openEncoder, encode
        case createOutput, addStream, writeHeader, write, finish, setOption
    }

    public let operation: Operation
    public let status: FFmpegStatus
    /// The file, stream or setting of the operation.
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
