import Foundation
import TakeupCurl
import TakeupLanes
import Testing

@Suite("Transfer of a body")
struct TransferPostTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func request(
        _ server: borrowing ScriptedServer, _ body: [UInt8], fields: [TransferRequest.Field] = []
    ) throws -> TransferRequest {
        var request = TransferRequest(
            try WebAddress("http://127.0.0.1:\(server.port)/hook"), fields: fields
        ) { _, _ in true }
        request.posted = body
        return request
    }

    @Test("posts the bytes as they are, whole", arguments: [0, 1, 1500, 1 << 20])
    func posts(count: Int) throws {
        let sent = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let received = Locked<[UInt8]>([])
        let server = try ScriptedServer { connection in
            connection.readRequest()
            let body = connection.readBody(bytes: count)
            received.withLock { $0 = body }
            connection.send(Self.ok)
        }
        let fetched = try Fetched(
            request(server, sent, fields: [.init("Content-Type", "application/json")]))
        #expect(fetched.text == "ok")
        #expect(received.withLock { $0 } == sent)
        let head = try #require(server.requests.first)
        #expect(head.hasPrefix("POST /hook HTTP/1.1\r\n"))
        #expect(head.contains("\r\nContent-Length: \(count)\r\n"))
        #expect(head.contains("\r\nContent-Type: application/json\r\n"))
        #expect(!head.lowercased().contains("expect") && !head.contains("urlencoded"))
    }

    @Test("a GET over the same transfer has neither body nor type")
    func thenGet() throws {
        let server = try ScriptedServer { connection in
            while let head = connection.readRequest() {
                _ = connection.readBody(bytes: head.hasPrefix("POST") ? 5 : 0)
                connection.send(Self.ok)
            }
        }
        let transfer = try Transfer()
        _ = try Fetched(try request(server, Array("hello".utf8)), over: transfer)
        _ = try Fetched("/next", from: server, over: transfer)
        let heads = server.requests
        #expect(heads.count == 2 && heads[1].hasPrefix("GET /next"))
        #expect(!heads[0].contains("Content-Type"))
        #expect(!heads[1].contains("Content-"))
    }

    @Test("a body that is too long is refused before anything is sent")
    func tooLong() throws {
        let server = try ScriptedServer { _ in }
        let body = [UInt8](repeating: 0, count: TransferRequest.mostPostedBytes + 1)
        let kind = try Fetched.kind { try Fetched(try request(server, body)) }
        #expect(kind == .refused(.length))
        #expect(server.accepted == 0)
    }
}
