internal import CTakeupLinux
internal import Foundation

/// One end of a connection between two processes that carries messages and open files.
///
/// A message arrives whole or not at all. Any thread may send; only one thread at a time may
/// receive.
public final class MessageSocket: Sendable {
    /// Size limit of a message, in bytes.
    public static let longest = 256 * 1024
    /// Highest number of open files in a message.
    public static let mostDescriptors = 250

    /// The result of a receive.
    public enum Received: Sendable {
        /// The receiver must close the descriptors.
        case message(bytes: [UInt8], descriptors: [Int32])
        case timeout
        /// The other end is closed.
        case end
    }

    public let descriptor: Int32

    /// Takes ownership of the socket with which this process was started.
    public init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Creates both ends; the second one is for a child.
    ///
    /// - Throws: `ProcessError` with `.connect`.
    public static func pair() throws(ProcessError) -> (MessageSocket, MessageSocket) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw ProcessError(.connect, errno: errno, subject: "a pair of sockets")
        }
        for end in ends {
            // The buffer must hold a whole message.
            var bytes = Int32(4 * longest)
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        return (MessageSocket(owning: ends[0]), MessageSocket(owning: ends[1]))
    }

    /// Sends one message.
    ///
    /// - Parameters:
    ///   - bytes: 1 to `longest` bytes.
    ///   - descriptors: Open files to send, up to `mostDescriptors`; the sender keeps them too.
    ///   - timeoutSeconds: The longest wait for room in the buffer, in seconds.
    /// - Throws: `ProcessError` with `.send`: `ETIMEDOUT`, `EPIPE` if the other end is closed,
    ///   `EMSGSIZE`.
    public func send(
        _ bytes: [UInt8], _ descriptors: [Int32] = [], timeoutSeconds: Double = 10
    ) throws(ProcessError) {
        guard !bytes.isEmpty, bytes.count <= Self.longest,
            descriptors.count <= Self.mostDescriptors
        else { throw ProcessError(.send, errno: EMSGSIZE, subject: "a message") }
        let end = ContinuousClock.now + .seconds(timeoutSeconds)
        while true {
            let reason = takeup_send_message(
                descriptor, bytes, bytes.count, descriptors, Int32(descriptors.count))
            switch reason {
            case 0: return
            case EINTR: continue
            case EAGAIN, ENOBUFS:
                guard waits(for: POLLOUT, until: end) else {
                    throw ProcessError(.send, errno: ETIMEDOUT, subject: "a message")
                }
            default: throw ProcessError(.send, errno: reason, subject: "a message")
            }
        }
    }

    /// Waits for the next message.
    ///
    /// - Parameter timeoutSeconds: The longest wait, in seconds; nil waits without limit.
    /// - Returns: The message, the timeout or the end.
    /// - Throws: `ProcessError` with `.receive`: `EMSGSIZE` for a message beyond the limits.
    public func receive(timeoutSeconds: Double? = nil) throws(ProcessError) -> Received {
        let end = timeoutSeconds.map { ContinuousClock.now + .seconds($0) }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        var descriptors = [Int32](repeating: -1, count: Int(takeup_most_descriptors))
        while true {
            var found: Int32 = 0
            let count = takeup_receive_message(
                descriptor, &bytes, bytes.count, &descriptors, &found)
            if count > 0 {
                return .message(
                    bytes: Array(bytes[..<Int(count)]),
                    descriptors: Array(descriptors[..<Int(found)]))
            }
            switch Int32(-count) {
            case 0, ECONNRESET: return .end
            case EINTR: continue
            case EAGAIN: guard waits(for: POLLIN, until: end) else { return .timeout }
            case let reason: throw ProcessError(.receive, errno: reason, subject: "a message")
            }
        }
    }

    /// Shuts down both directions; wakes all waiting threads on both ends.
    public func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// - Returns: `false` if the time ran out.
    private func waits(for events: Int32, until end: ContinuousClock.Instant?) -> Bool {
        while true {
            let left = end.map { ($0 - ContinuousClock.now) / .seconds(1) } ?? 60
            guard left > 0 else { return false }
            var event = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            if poll(&event, 1, Int32(min(left * 1000 + 1, 60_000))) > 0 { return true }
        }
    }
}
