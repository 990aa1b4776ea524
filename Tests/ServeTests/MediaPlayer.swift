import Foundation

/// A client that reads as much of one response as it likes, and may leave in its middle.
final class MediaPlayer {
    struct Unconnected: Error { let errno: Int32 }

    private let socket: Int32
    private var kept: [UInt8] = []

    /// - Parameters:
    ///   - base: The server, such as `http://127.0.0.1:8080`.
    ///   - roomBytes: What the system takes for a client that does not read; nil for what it likes.
    /// - Throws: `Unconnected` if the server takes no connection.
    init(_ base: String, roomBytes: Int32? = nil) throws(Unconnected) {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = roomBytes {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let port = base.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let reason = errno
            close(socket)
            throw Unconnected(errno: reason)
        }
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    func ask(_ target: String, _ fields: [String] = []) {
        let lines = ["GET \(target) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + fields
        let bytes = Array("\(lines.joined(separator: "\r\n"))\r\n\r\n".utf8)
        _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Waits for so many bytes of the body, or for all of them.
    ///
    /// - Returns: All that has come so far; fewer at the end.
    func body(atLeast count: Int = .max) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            if let start = start, kept.count - start >= count { return Array(kept[start...]) }
            let got = recv(socket, &bytes, bytes.count, 0)
            guard got > 0 else { return start.map { Array(kept[$0...]) } ?? [] }
            kept += bytes.prefix(got)
        }
    }

    /// Where the body begins; nil before it does.
    private var known: Int?
    private var start: Int? {
        if known == nil {
            known = kept.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
        }
        return known
    }
}
