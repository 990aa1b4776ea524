import Foundation
import TakeupLanes
import TestSupport

/// A server on loopback that takes events and answers as the test says, one connection after another.
final class HookReceiver {
    /// One request that came.
    struct Received: Sendable, Equatable {
        var line: String
        /// Names in lower case.
        var fields: [String: String]
        var body: String
    }

    private let listener: LoopbackListener
    private let received = Locked<[Received]>([])

    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - answer: The whole answer to a request; nil holds the connection until the other side goes.
    /// - Throws: `ToolFailure` when it cannot listen there.
    init(port: UInt16 = 0, _ answer: @escaping @Sendable (Received) -> String?) throws {
        listener = try LoopbackListener(port: port) { [received] connection in
            Self.serve(connection, received, answer)
        }
    }

    var port: UInt16 { listener.port }

    var requests: [Received] { received.withLock { $0 } }

    var url: String { "http://127.0.0.1:\(port)/hook" }

    static func status(_ status: Int, _ fields: String = "") -> String {
        "HTTP/1.1 \(status) x\r\nContent-Length: 0\r\nConnection: close\r\n\(fields)\r\n"
    }

    private static func serve(
        _ connection: Int32, _ received: Locked<[Received]>, _ answer: (Received) -> String?
    ) {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = next(connection) else { return }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        var request = Received(line: lines[0], fields: [:], body: "")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            request.fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        var body: [UInt8] = []
        let count = request.fields["content-length"].flatMap { Int($0) } ?? 0
        while body.count < count, let byte = next(connection) { body.append(byte) }
        request.body = String(decoding: body, as: UTF8.self)
        received.withLock { $0.append(request) }
        guard let text = answer(request) else {
            while next(connection) != nil {}
            return
        }
        _ = Array(text.utf8).withUnsafeBytes {
            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    private static func next(_ connection: Int32) -> UInt8? {
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, 0) == 1 ? byte : nil
    }
}
