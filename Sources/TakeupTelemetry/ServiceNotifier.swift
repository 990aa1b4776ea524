internal import Foundation

/// Tells the service manager that has started this process how it fares: one datagram a message, as `sd_notify` sends it.
///
/// May be used from any thread; waits a second at most for a manager that is busy.
public struct ServiceNotifier: Sendable {
    /// The socket's address as the kernel takes it; its first byte is 0 where it has no path.
    private let address: [UInt8]
    /// How often at least the manager wants to hear that the process lives, in seconds; nil when it does not listen.
    public let watchdogSeconds: Double?

    /// Is nil where nobody listens, or not at a Unix socket.
    ///
    /// - Parameters:
    ///   - environment: Where `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` are looked for.
    ///   - process: The number that `WATCHDOG_PID` has to name, where it is set; nil for this one's.
    ///
    /// Note: Source: sd_notify(3), sd_watchdog_enabled(3).
    public init?(environment: [String: String], process: Int32? = nil) {
        guard let socket = environment["NOTIFY_SOCKET"] else { return nil }
        var bytes = Array(socket.utf8)
        let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        guard bytes.count > 1, bytes.count < room else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "/"): bytes.append(0)
        case UInt8(ascii: "@"): bytes[0] = 0
        default: return nil
        }
        address = bytes
        let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == process ?? getpid() } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
        watchdogSeconds = isOurs && microseconds > 0 ? Double(microseconds) / 1e6 : nil
    }

    /// - Parameter message: `NAME=VALUE` lines.
    /// - Returns: Whether the manager's socket has taken it.
    @discardableResult
    public func send(_ message: ServiceMessage) -> Bool {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = socket(AF_UNIX, kind, 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + address.count)
        let text = Array(message.text.utf8)
        let flags = Int32(MSG_NOSIGNAL)
        return withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(socket, text, text.count, flags, address, length) == text.count
            }
        }
    }
}
