import Foundation
import TestSupport

/// A client of one connection that shows an answer as it came, for the tests of `TestOrigin`.
final class OriginClient {
    enum End { case complete, close, reset }

    struct Answer {
        var status = 0
        var fields: [OriginField] = []
        var body: [UInt8] = []
        var end = End.complete
        var headBytes = 0
    }

    private let descriptor: Int32
    // An origin that nobody holds stops.
    private let origin: TestOrigin
    private var buffer: [UInt8] = []
    private var end: End?

    init(_ origin: TestOrigin) throws {
        self.origin = origin
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: 300, tv_usec: 0)
        let timeoutSize = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, timeoutSize)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = origin.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// Sends a request's head; more lines are `Name: value`.
    func send(_ method: String = "GET", _ path: String, _ lines: [String] = []) {
        sendText(([("\(method) \(path) HTTP/1.1"), "Host: a"] + lines).joined(separator: "\r\n"))
    }

    func sendText(_ text: String) {
        let bytes = Array("\(text)\r\n\r\n".utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Asks on this connection and reads the whole answer.
    func ask(_ path: String, _ lines: [String] = [], method: String = "GET") -> Answer {
        send(method, path, lines)
        return answer(hasBody: method != "HEAD")
    }

    func answer(hasBody: Bool = true, bodyLimit: Int = .max) -> Answer {
        var answer = head()
        guard answer.end == .complete, hasBody, answer.status != 304 else { return answer }
        if answer.fields["Transfer-Encoding"] == "chunked" {
            readChunks(into: &answer, limit: bodyLimit)
        } else {
            let length = answer.fields["Content-Length"].flatMap { Int($0) } ?? .max
            let wanted = min(length, bodyLimit)
            if !fill(wanted) { answer.end = end ?? .close }
            answer.body = take(min(wanted, buffer.count))
        }
        return answer
    }

    func head() -> Answer {
        var answer = Answer()
        let mark = Data("\r\n\r\n".utf8)
        while true {
            if let range = Data(buffer).range(of: mark) {
                let text = String(decoding: take(range.upperBound), as: UTF8.self)
                let lines = text.split(separator: "\r\n")
                answer.headBytes = text.utf8.count
                answer.status = Int(lines[0].split(separator: " ")[1]) ?? 0
                answer.fields = lines.dropFirst().map { line in
                    let halves = line.split(separator: ":", maxSplits: 1)
                    return OriginField(String(halves[0]), String(halves[1].dropFirst()))
                }
                return answer
            }
            if !fill(buffer.count + 1) {
                answer.end = end ?? .close
                return answer
            }
        }
    }

    private func readChunks(into answer: inout Answer, limit: Int) {
        while answer.body.count < limit {
            guard let line = line(), let count = Int(line, radix: 16), fill(count + 2) else {
                answer.end = end ?? .close
                return
            }
            answer.body += take(count)
            _ = take(2)
            if count == 0 { return }
        }
    }

    private func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                return String(decoding: take(end + 1).dropLast(2), as: UTF8.self)
            }
            guard fill(buffer.count + 1) else { return nil }
        }
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Reads until so many bytes are here; false when the connection ended before.
    private func fill(_ wanted: Int) -> Bool {
        var piece = [UInt8](repeating: 0, count: 65536)
        while buffer.count < wanted {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count > 0 { buffer += piece[..<count] }
            if count == 0 { end = .close }
            if count < 0 { end = errno == ECONNRESET ? .reset : .close }
            if count <= 0 { return false }
        }
        return true
    }
}

extension TestOrigin {
    /// One request on a connection of its own.
    func ask(
        _ path: String, _ lines: [String] = [], method: String = "GET"
    ) throws -> OriginClient.Answer {
        try OriginClient(self).ask(path, lines, method: method)
    }
}
