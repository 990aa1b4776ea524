import Foundation
import TakeupCurl
import TakeupModel

/// A socket that the service manager has opened and listens on, and has handed to this process.
///
/// - Note: Source: `sd_listen_fds(3)`.
struct ActivationSocket: Equatable, Sendable {
    private static let first: Int32 = 3

    let descriptor: Int32
    /// Where it listens.
    let address: ListenAddress

    /// Takes the socket, and keeps it from the children of this process.
    ///
    /// - Returns: nil where none was handed over.
    /// - Throws: With 78 for several, and for what is no listening stream socket.
    static func take(
        _ environment: [String: String], process: Int32 = getpid(), from first: Int32 = first
    ) throws(Failure) -> ActivationSocket? {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == process,
            let count = environment["LISTEN_FDS"].flatMap(Int32.init), count > 0
        else { return nil }
        for descriptor in first..<(first + min(count, 1024)) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        guard count == 1 else {
            throw unusable("the service manager has handed over \(count) sockets")
        }
        guard option(SO_ACCEPTCONN, of: first) == 1, option(SO_TYPE, of: first) == streamType,
            let address = address(of: first)
        else {
            throw unusable("descriptor \(first) is no socket that listens for streams")
        }
        return ActivationSocket(descriptor: first, address: address)
    }

    private static let streamType = Int32(SOCK_STREAM.rawValue)

    private static func unusable(_ message: String) -> Failure {
        Failure(
            exitCode: .configuration, code: "socketNotUsable", stage: "request", message: message,
            hint: "give the socket unit one ListenStream= and Accept=no")
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 else { return nil }
        return value
    }

    private static func address(of descriptor: Int32) -> ListenAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let bytes = UnsafeMutableRawPointer(pointer)
            let named = bytes.assumingMemoryBound(to: sockaddr.self)
            guard getsockname(descriptor, named, &size) == 0 else { return nil }
            switch Int32(named.pointee.sa_family) {
            case AF_INET:
                let name = bytes.load(as: sockaddr_in.self)
                let host = withUnsafeBytes(of: name.sin_addr) { IPAddress(bytes: Array($0)) }
                return host.map {
                    .tcp(host: "\($0)", port: UInt16(bigEndian: name.sin_port))
                }
            case AF_INET6:
                let name = bytes.load(as: sockaddr_in6.self)
                let host = withUnsafeBytes(of: name.sin6_addr) { IPAddress(bytes: Array($0)) }
                return host.map {
                    .tcp(host: "\($0)", port: UInt16(bigEndian: name.sin6_port))
                }
            case AF_UNIX:
                let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
                let path = UnsafeRawBufferPointer(start: bytes, count: Int(size))
                    .dropFirst(start).prefix { $0 != 0 }
                return .unix(path: String(decoding: path, as: UTF8.self))
            default: return nil
            }
        }
    }
}
