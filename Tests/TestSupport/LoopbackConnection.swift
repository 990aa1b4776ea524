internal import Foundation

/// Connects to servers on loopback, byte by byte as a test has it.
public enum LoopbackConnection {
    /// Connects to a port of this machine.
    ///
    /// - Parameters:
    ///   - port: Of IPv4.
    ///   - receiveBytes: What the system takes for a client that does not read; nil for what it likes.
    ///   - seconds: How long one call of the socket waits at most.
    /// - Returns: The socket, which the caller closes.
    /// - Throws: `ToolFailure` if nobody takes the connection.
    public static func open(
        port: UInt16, receiveBytes: Int32? = nil, seconds: Int
    ) throws(ToolFailure) -> Int32 {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return try open(AF_INET, name, receiveBytes: receiveBytes, seconds: seconds)
    }

    /// Connects to a Unix socket, as to a port.
    public static func open(path: String, seconds: Int) throws(ToolFailure) -> Int32 {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return try open(AF_UNIX, name, receiveBytes: nil, seconds: seconds)
    }

    private static func open<Name>(
        _ family: Int32, _ name: Name, receiveBytes: Int32?, seconds: Int
    ) throws(ToolFailure) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if let receiveBytes { set(SO_RCVBUF, receiveBytes, of: descriptor) }
        let isConnected = withUnsafeBytes(of: name) { bytes in
            bytes.baseAddress.map {
                connect(
                    descriptor, $0.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(bytes.count)) == 0
            } ?? false
        }
        guard isConnected else {
            let reason = errno
            close(descriptor)
            throw ToolFailure("connect: errno \(reason)")
        }
        set(SO_RCVTIMEO, timeval(tv_sec: seconds, tv_usec: 0), of: descriptor)
        set(SO_SNDTIMEO, timeval(tv_sec: seconds, tv_usec: 0), of: descriptor)
        return descriptor
    }

    private static func set<Value>(_ option: Int32, _ value: Value, of descriptor: Int32) {
        _ = withUnsafeBytes(of: value) {
            setsockopt(descriptor, SOL_SOCKET, option, $0.baseAddress, socklen_t($0.count))
        }
    }
}
