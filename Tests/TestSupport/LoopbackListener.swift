internal import Foundation

/// Listens on loopback, and serves what connects on a thread of its own, one connection after another.
public final class LoopbackListener: Sendable {
    public let port: UInt16
    private let descriptor: Int32
    private let ended = DispatchSemaphore(value: 0)

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - address: Of IPv4, on loopback.
    ///   - port: 0 for any that is free.
    ///   - serve: What happens on a connection, whose descriptor is closed when it returns.
    /// - Throws: `ToolFailure` when it cannot listen there.
    public init(
        on address: String = "127.0.0.1", port: UInt16 = 0,
        _ serve: @escaping @Sendable (Int32) -> Void
    ) throws(ToolFailure) {
        let (descriptor, port) = try Self.listen(on: address, port: port)
        (self.descriptor, self.port) = (descriptor, port)
        Thread.detachNewThread { [ended] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                serve(connection)
                close(connection)
            }
            ended.signal()
        }
    }

    /// Waits for a connection that is being served to end.
    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        ended.wait()
        close(descriptor)
    }

    /// A socket that listens, which the caller closes, and its port.
    static func listen(
        on address: String = "127.0.0.1", port: UInt16
    ) throws(ToolFailure) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ToolFailure("socket: errno \(errno)") }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        // Left at zero, the address would be that of every interface.
        guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
            close(descriptor)
            throw ToolFailure("listen on \(address): no address of IPv4")
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && Foundation.listen(descriptor, 512) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening else {
            let reason = errno
            close(descriptor)
            throw ToolFailure("listen on \(address):\(port): errno \(reason)")
        }
        return (descriptor, UInt16(bigEndian: name.sin_port))
    }
}
