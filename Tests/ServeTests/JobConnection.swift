import Foundation
import TestSupport

/// One request over one connection.
final class JobConnection {
    struct Broken: Error { let text: String }

    private let socket: Int32

    init(port: UInt16) throws {
        socket = try LoopbackConnection.open(port: port, seconds: 300)
    }

    deinit { close(socket) }

    func send(
        _ method: String, _ target: String, _ fields: [(String, String)], length: Int?
    ) {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if let length { head += "Content-Length: \(length)\r\n" }
        send(Array("\(head)\r\n".utf8))
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the connection before the request is complete.
    func breakOff() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// The next bytes; none at the end.
    func receive() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = recv(socket, &bytes, bytes.count, 0)
        while count < 0, errno == EINTR { count = recv(socket, &bytes, bytes.count, 0) }
        return Array(bytes.prefix(max(0, count)))
    }

    func reply(hasBody: Bool = true) throws -> JobReply {
        var bytes: [UInt8] = []
        while true {
            let more = receive()
            if more.isEmpty { break }
            bytes += more
        }
        return try JobReply(bytes, hasBody: hasBody)
    }
}

/// A response, taken apart.
struct JobReply {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]

    init(_ bytes: [UInt8], hasBody: Bool) throws {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw JobConnection.Broken(
                text: "no head: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n")
        status = Int(lines[0].split(separator: " ")[1]) ?? 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            fields[sides[0].lowercased()] =
                sides.count > 1 ? sides[1].trimmingCharacters(in: .whitespaces) : ""
        }
        self.fields = fields
        let rest = Array(bytes[end.upperBound...])
        body = fields["transfer-encoding"] == "chunked" ? try Self.joined(rest) : rest
    }

    private static func joined(_ bytes: [UInt8]) throws -> [UInt8] {
        var (rest, all): (ArraySlice<UInt8>, [UInt8]) = (bytes[...], [])
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            let text = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            guard let count = Int(text, radix: 16) else { break }
            if count == 0 { return all }
            all += rest[end.upperBound...].prefix(count)
            rest = rest[end.upperBound...].dropFirst(count + 2)
        }
        throw JobConnection.Broken(text: "the body breaks off")
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var json: Any? {
        try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed)
    }

    /// A member of the object, or of objects in it.
    subscript(path: String) -> Any? {
        path.split(separator: ".").reduce(json) { value, name in
            if let list = value as? [Any], let index = Int(name), index < list.count {
                return list[index]
            }
            return (value as? [String: Any])?[String(name)]
        }
    }

    func word(_ path: String) -> String? { self[path] as? String }
    func number(_ path: String) -> Int? { (self[path] as? NSNumber)?.intValue }

    /// The events of a stream: their ids and their objects.
    var events: [(id: String, object: [String: Any])] {
        text.components(separatedBy: "\n\n").compactMap { block in
            var (id, object): (String?, [String: Any]?) = (nil, nil)
            for line in block.split(separator: "\n") {
                if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
                guard line.hasPrefix("data: ") else { continue }
                let data = Data(line.dropFirst(6).utf8)
                object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            }
            guard let id, let object else { return nil }
            return (id, object)
        }
    }
}
