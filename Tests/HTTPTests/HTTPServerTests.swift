import Foundation
import TakeupHTTP
import TestSupport
import Testing

@Suite("HTTP server", .timeLimit(.minutes(2)))
struct HTTPServerTests {
    private static func text(_ request: HTTPRequest) -> RequestPlan {
        .answer(
            HTTPResponse(
                200, [("Content-Type", "text/plain")],
                body: .text("\(request.method) \(request.target)")))
    }

    @Test("answers one request after another on one connection, in order")
    func pipelines() throws {
        let handler = TestHandler(Self.text)
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(
            "GET /a?b=%2F&c HTTP/1.1\r\nHost: h\r\n\r\nPUT /%41//b HTTP/1.1\r\nHost: h\r\n\r\n")
        let first = try client.response()
        #expect(first.text == "GET /a?b=%2F&c")
        #expect(first.count("Date") == 1)
        #expect(first["X-Request-Id"]?.utf8.count == 16)
        #expect(try client.response().text == "PUT /%41//b")
        let records = handler.records(2)
        #expect(records.map(\.status) == [200, 200])
        #expect(records.map(\.sentBytes) == [14, 11])
        #expect(records.map(\.request.peer) == ["127.0.0.1", "127.0.0.1"])
        #expect(records.first?.request.id == first["X-Request-Id"])
    }
}
