internal import Foundation

/// A failed system call about processes or sockets.
public struct ProcessError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Operation: String, Sendable {
        case spawn, connect, send, receive, seal
    }

    public var operation: Operation
    public var errno: Int32
    public var subject: String

    public init(_ operation: Operation, errno: Int32, subject: String) {
        (self.operation, self.errno, self.subject) = (operation, errno, subject)
    }

    public var description: String {
        "\(operation.rawValue) failed on \(subject): \(String(cString: strerror(errno)))"
    }
}
