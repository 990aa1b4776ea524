import Foundation
import TestSupport

/// A connection that a test could not make or that ended too early.
struct ClientFailure: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// A client that writes and reads bytes as a test has them.
final class RawClient {
    let socket: Int32

    init(port: UInt16, receiveBytes: Int32? = nil) throws(ToolFailure) {
        socket = try LoopbackConnection.open(port: port, receiveBytes: receiveBytes, seconds: 20)
    }

    init(path: String) throws(ToolFailure) {
        socket = try LoopbackConnection.open(path: path, seconds: 20)
    }

    deinit { close(socket) }

    /// Sends what the server takes; a server that has closed is no error here.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(
                    socket, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Ends the sending side.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    enum End: Equatable {
        case closed, reset, timeout
    }

    /// The next bytes; none at the end.
    func receive(upTo count: Int = 65_536) -> (bytes: [UInt8], end: End?) {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = recv(socket, &bytes, count, 0)
        if got > 0 { return (Array(bytes.prefix(got)), nil) }
        if got == 0 { return ([], .closed) }
        return ([], errno == EAGAIN ? .timeout : .reset)
    }

    /// All that comes until the server ends the connection.
    func receiveAll() -> (text: String, end: End) {
        var all: [UInt8] = []
        while true {
            let (bytes, end) = receive()
            if let end { return (String(decoding: all, as: UTF8.self), end) }
            all += bytes
        }
    }

    /// One response with a known length, or none for a request of HEAD; what comes behind it is kept.
    func response(hasBody: Bool = true) throws(ClientFailure) -> RawResponse {
        while true {
            if let response = RawResponse(&kept, hasBody: hasBody) { return response }
            let (bytes, end) = receive()
            if let end {
                throw ClientFailure(
                    "\(end) after \(String(decoding: kept.prefix(300), as: UTF8.self))")
            }
            kept += bytes
        }
    }

    private(set) var kept: [UInt8] = []
}

/// A response as it came over the wire.
struct RawResponse {
    let status: Int
    let head: String
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// - Returns: nil while it is not complete.
    init?(_ bytes: inout [UInt8], hasBody: Bool) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        status = Int(head.dropFirst(9).prefix(3)) ?? 0
        var length = 0
        if hasBody, status != 304, status != 204 {
            let line = head.split(separator: "\r\n").first {
                $0.lowercased().hasPrefix("content-length: ")
            }
            length = line.flatMap { Int($0.dropFirst(16)) } ?? 0
        }
        guard bytes.count >= end.upperBound + length else { return nil }
        body = Array(bytes[end.upperBound...].prefix(length))
        bytes.removeFirst(end.upperBound + length)
    }

    subscript(name: String) -> String? {
        let wanted = "\(name.lowercased()): "
        return head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(wanted) }
            .map { String($0.dropFirst(wanted.count)) }
    }

    func count(_ name: String) -> Int {
        head.split(separator: "\r\n").count { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
    }
}
