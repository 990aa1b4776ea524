internal import CTakeupLinux
internal import Foundation

/// One end of a connection between two processes that carries messages with open files.
///
/// A message arrives whole or not at all. Any thread may send; one at a time receives.
public final class MessageSocket: Sendable {
    /// Bytes of a message.
    public static let longest = 256 * 1024
    /// Open files of a message.
    public static let mostDescriptors = 250

    /// What came.
    public enum Received: Sendable {
        /// The descriptors are the receiver's to close.
        case message(bytes: [UInt8], descriptors: [Int32])
        case timeout
        /// The other end is closed.
        case end
    }

    public let descriptor: Int32

    /// Takes over the end that this process was started with.
    public init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Makes both ends; the second is for a child.
    ///
    /// - Throws: `ProcessError` with `.connect`.
    public static func pair() throws(ProcessError) -> (MessageSocket, MessageSocket) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw ProcessError(.connect, errno: errno, subject: "a pair of sockets")
        }
        for end in ends {
            // A message must fit in whole.
            var bytes = Int32(4 * longest)
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        return (MessageSocket(owning: ends[0]), MessageSocket(owning: ends[1]))
    }

    /// Sends one message.
    ///
    /// - Parameters:
    ///   - bytes: 1 to `longest`.
    ///   - descriptors: Open files that go along, up to `mostDescriptors`; they stay the sender's as well.
    ///   - timeoutSeconds: How long to wait for room.
    /// - Throws: `ProcessError` with `.send`: `ETIMEDOUT`, `EPIPE` when the other end is closed, `EMSGSIZE`.
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
    /// - Parameter timeoutSeconds: How long; nil waits for good.
    /// - Returns: What came.
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

    /// Ends both directions; whoever waits on either end wakes.
    public func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// - Returns: `false` when the time is over.
    private func waits(for events: Int32, until end: ContinuousClock.Instant?) -> Bool {
        while true {
            let left = end.map { ($0 - ContinuousClock.now) / .seconds(1) } ?? 60
            guard left > 0 else { return false }
            var event = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            if poll(&event, 1, Int32(min(left * 1000 + 1, 60_000))) > 0 { return true }
        }
    }
}
