internal import Foundation

/// The file names of Unix sockets.
enum UnixName {
    /// - Returns: nil for a path that no address has room for.
    static func address(_ path: String) -> sockaddr_un? {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: name.sun_path)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else { return nil }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        return name
    }

    /// - Returns: nil for another kind of socket.
    static func path(of descriptor: Int32) -> String? {
        var name = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isKnown = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isKnown, Int32(name.sun_family) == AF_UNIX else { return nil }
        return withUnsafeBytes(of: &name.sun_path) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Whether a socket is there on which nobody listens.
    static func isStale(_ path: String, _ name: inout sockaddr_un) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        return withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(probe, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) != 0
                    && errno == ECONNREFUSED
            }
        }
    }
}
