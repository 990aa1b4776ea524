internal import Foundation

/// Stands between a client and a server on loopback, and does to some requests what networks and servers do.
///
/// Each connection carries one request.
public final class FaultProxy: Sendable {
    /// A request as the proxy sees it.
    public struct Request: Sendable {
        /// From 0, in order of arrival.
        public var number: Int
        public var method: String
        /// Path and query.
        public var target: String
        /// Names in lower case.
        public var fields: [String: String]
    }

    /// What happens instead of passing a request on.
    public enum Fault: Sendable {
        /// The server is not asked.
        case answer(Int, fields: [String: String] = [:], body: String = "")
        /// The connection ends after so many bytes of the request's body.
        case cutRequest(after: Int)
        /// The connection ends after so many bytes of the answer's body; the server was asked.
        case cutAnswer(after: Int)
        /// The server's answer goes on with another value of a field.
        case field(String, String)
        /// The server did what it was asked; the client gets this.
        case replaced(Int, body: String)
    }

    fileprivate final class Shared: Sendable {
        let requests = Guarded<[Request]>([])
        let server: UInt16
        let rule: @Sendable (Request) -> Fault?

        init(_ server: UInt16, _ rule: @escaping @Sendable (Request) -> Fault?) {
            (self.server, self.rule) = (server, rule)
        }
    }

    private let shared: Shared
    private let listener: LoopbackListener

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - server: The port of the server.
    ///   - rule: What to do to a request; nil passes it on.
    /// - Throws: `ToolFailure`.
    public init(
        to server: UInt16, _ rule: @escaping @Sendable (Request) -> Fault?
    ) throws(ToolFailure) {
        let shared = Shared(server, rule)
        self.shared = shared
        listener = try LoopbackListener { connection in
            // The listener closes the one that it gave.
            let own = dup(connection)
            Thread.detachNewThread {
                Self.serve(own, shared)
                shutdown(own, Int32(SHUT_RDWR))
                close(own)
            }
        }
    }

    public var port: UInt16 { listener.port }

    /// What has come so far.
    public var requests: [Request] { shared.requests.with { $0 } }

    private static func serve(_ client: Int32, _ shared: Shared) {
        guard let (head, begun) = readHead(client), let request = shared.note(head) else {
            return
        }
        let length = Int(request.fields["content-length"] ?? "") ?? 0
        let fault = shared.rule(request)
        var limit = length
        if case .cutRequest(let bytes)? = fault { limit = min(bytes, length) }
        var body = begun
        while body.count < limit, let more = readSome(client) { body += more }
        if case .cutRequest? = fault { return }
        if case .answer(let status, let fields, let text)? = fault {
            send(client, answer(status, fields, Array(text.utf8), request))
            return
        }
        guard let (answerHead, answerBody) = ask(shared.server, head, body) else { return }
        switch fault {
        case .replaced(let status, let text)?:
            send(client, answer(status, [:], Array(text.utf8), request))
        case .cutAnswer(let bytes)?:
            send(client, answerHead + Array(answerBody.prefix(bytes)))
        case .field(let name, let value)?:
            let lines = String(decoding: answerHead, as: UTF8.self)
                .components(separatedBy: "\r\n").map {
                    $0.lowercased().hasPrefix("\(name.lowercased()):") ? "\(name): \(value)" : $0
                }
            send(client, Array(lines.joined(separator: "\r\n").utf8) + answerBody)
        default: send(client, answerHead + answerBody)
        }
    }

    private static func answer(
        _ status: Int, _ fields: [String: String], _ body: [UInt8], _ request: Request
    ) -> [UInt8] {
        var text = "HTTP/1.1 \(status) Word\r\nConnection: close\r\n"
        text += "Content-Length: \(body.count)\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        return Array("\(text)\r\n".utf8) + (request.method == "HEAD" ? [] : body)
    }

    /// Sends a request to the server and reads its answer to the end.
    private static func ask(
        _ port: UInt16, _ head: [UInt8], _ body: [UInt8]
    ) -> (head: [UInt8], body: [UInt8])? {
        guard let server = try? LoopbackConnection.open(port: port, seconds: 30) else { return nil }
        defer { close(server) }
        // The signature covers neither of these fields.
        let lines = String(decoding: head.dropLast(4), as: UTF8.self)
            .components(separatedBy: "\r\n").filter { !$0.lowercased().hasPrefix("expect:") }
        let words = (lines + ["Connection: close", "\r\n"]).joined(separator: "\r\n")
        send(server, Array(words.utf8) + body)
        guard let (answer, begun) = readHead(server) else { return nil }
        var rest = begun
        while let more = readSome(server) { rest += more }
        return (answer, rest)
    }

    /// The bytes up to the empty line, and what came behind it.
    private static func readHead(_ socket: Int32) -> (head: [UInt8], rest: [UInt8])? {
        var bytes: [UInt8] = []
        let mark = Data("\r\n\r\n".utf8)
        while true {
            if let end = Data(bytes).range(of: mark) {
                return (Array(bytes[..<end.upperBound]), Array(bytes[end.upperBound...]))
            }
            guard bytes.count < 1 << 16, let more = readSome(socket) else { return nil }
            bytes += more
        }
    }

    private static func readSome(_ socket: Int32) -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &room, room.count, 0)
        return count > 0 ? Array(room[..<count]) : nil
    }

    private static func send(_ socket: Int32, _ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(
                    socket, $0.baseAddress.map { $0 + done }, bytes.count - done,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }
}

extension FaultProxy.Shared {
    /// Reads a head and counts the request.
    fileprivate func note(_ head: [UInt8]) -> FaultProxy.Request? {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                .trimmingCharacters(in: .whitespaces)
        }
        return requests.with { requests in
            let request = FaultProxy.Request(
                number: requests.count, method: String(words[0]), target: String(words[1]),
                fields: fields)
            requests.append(request)
            return request
        }
    }
}
