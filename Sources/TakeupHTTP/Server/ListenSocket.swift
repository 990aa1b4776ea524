internal import Foundation

/// A socket that listens.
struct ListenSocket {
    let descriptor: Int32
    let address: HTTPServer.Address
    /// The file to remove at the end, where this server made it.
    let ownPath: String?

    var isTCP: Bool { if case .tcp = address { true } else { false } }

    /// Connections that the kernel holds until the server takes them.
    private static let backlog: Int32 = 1024

    init(_ address: HTTPServer.Address) throws(HTTPServerError) {
        switch address {
        case .tcp(let host, let port): self = try Self.tcp(host, port)
        case .unix(let path, let mode): self = try Self.unix(path, mode)
        case .descriptor(let descriptor): self = try Self.given(descriptor)
        }
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private init(_ descriptor: Int32, _ address: HTTPServer.Address, ownPath: String? = nil) {
        (self.descriptor, self.address, self.ownPath) = (descriptor, address, ownPath)
    }

    private static func tcp(
        _ host: String, _ port: UInt16
    ) throws(HTTPServerError) -> ListenSocket {
        let shown = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        // The name that every system knows; no other one is looked up.
        let literal = host == "localhost" ? "127.0.0.1" : host
        guard getaddrinfo(literal, String(port), &hints, &found) == 0, let found else {
            throw HTTPServerError(operation: "read \(host) as an IP address", errno: EINVAL)
        }
        defer { freeaddrinfo(found) }
        let descriptor = try open(found.pointee.ai_family, "listen on \(shown)")
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
        try listen(
            descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen, "listen on \(shown)")
        return ListenSocket(descriptor, .tcp(host: host, port: Self.port(of: descriptor) ?? port))
    }

    /// The file has its rights from its first moment on.
    private static func unix(
        _ path: String, _ mode: UInt32
    ) throws(HTTPServerError) -> ListenSocket {
        let operation = "listen on \(path)"
        guard var name = UnixName.address(path) else {
            throw HTTPServerError(operation: operation, errno: ENAMETOOLONG)
        }
        let descriptor = try open(AF_UNIX, operation)
        fchmod(descriptor, mode)
        if UnixName.isStale(path, &name) { unlink(path) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0
                    && Foundation.listen(descriptor, backlog) == 0 ? 0 : errno
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw HTTPServerError(operation: operation, errno: status)
        }
        chmod(path, mode)
        return ListenSocket(descriptor, .unix(path: path, mode: mode), ownPath: path)
    }

    private static func given(_ descriptor: Int32) throws(HTTPServerError) -> ListenSocket {
        var isListening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let status = getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length)
        guard status == 0, isListening != 0 else {
            throw HTTPServerError(
                operation: "use descriptor \(descriptor) as a listening socket",
                errno: status == 0 ? EINVAL : errno)
        }
        return ListenSocket(descriptor, HTTPServer.Address.descriptor(descriptor).resolved)
    }

    private static func open(
        _ family: Int32, _ operation: String
    ) throws(HTTPServerError) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw HTTPServerError(operation: operation, errno: errno) }
        return descriptor
    }

    private static func listen(
        _ descriptor: Int32, _ name: UnsafePointer<sockaddr>?, _ length: socklen_t,
        _ operation: String
    ) throws(HTTPServerError) {
        guard bind(descriptor, name, length) == 0, Foundation.listen(descriptor, backlog) == 0
        else {
            let status = errno
            close(descriptor)
            throw HTTPServerError(operation: operation, errno: status)
        }
    }

    private static func port(of descriptor: Int32) -> UInt16? { name(of: descriptor)?.port }

    static func name(of descriptor: Int32) -> (host: String, port: UInt16)? {
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                let host = PeerAddress.text(address)
                // The port is at the same place in both families.
                return host.isEmpty ? nil : (host, UInt16(bigEndian: pointer.pointee.sin6_port))
            }
        }
    }
}

extension HTTPServer.Address {
    /// The address behind a socket that somebody else opened; any other one as it is.
    public var resolved: HTTPServer.Address {
        guard case .descriptor(let descriptor) = self else { return self }
        if let (host, port) = ListenSocket.name(of: descriptor) {
            return .tcp(host: host, port: port)
        }
        return UnixName.path(of: descriptor).map { .unix(path: $0) } ?? self
    }
}
