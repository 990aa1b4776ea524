import Foundation
import TestSupport

/// A client that reads as much of one response as it likes, and may leave in its middle.
final class MediaPlayer {
    private let socket: Int32
    private var kept: [UInt8] = []

    /// - Parameters:
    ///   - base: The server, such as `http://127.0.0.1:8080`.
    ///   - roomBytes: What the system takes for a client that does not read; nil for what it likes.
    /// - Throws: `ToolFailure` if the server takes no connection.
    init(_ base: String, roomBytes: Int32? = nil) throws(ToolFailure) {
        let port = base.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        socket = try LoopbackConnection.open(port: port, receiveBytes: roomBytes, seconds: 60)
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
