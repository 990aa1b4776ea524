internal import Foundation

/// Plays the service manager: a socket that takes what `sd_notify` sends.
public final class NotifySocket: Sendable {
    private let descriptor: Int32

    /// - Parameter name: A path that is free, or an abstract name behind `@`.
    /// - Throws: `ToolFailure` when it cannot be made.
    public init(_ name: String) throws(ToolFailure) {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = name.hasPrefix("@")
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length)
            }
        }
        guard status == 0 else {
            throw ToolFailure("cannot bind \(name): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Waits for one message.
    ///
    /// - Returns: Its lines; nil when none came in time.
    public func receive(seconds: Double) -> [String]? {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Foundation.poll(&poll, 1, Int32(seconds * 1000)) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    /// Waits for a message with a line that begins so.
    ///
    /// - Returns: The lines of that message; nil when none came in time.
    public func wait(for start: String, seconds: Double = 120) -> [String]? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            guard let lines = receive(seconds: 0.2) else { continue }
            if lines.contains(where: { $0.hasPrefix(start) }) { return lines }
        }
        return nil
    }
}
