import Foundation
import TakeupHTTP
import TestSupport
import Testing

@Suite("HTTP on the wire", .timeLimit(.minutes(2)))
struct WireTests {
    private static func plan(_ request: HTTPRequest) -> RequestPlan {
        switch request.path {
        case "/unknown": .answer(HTTPResponse(200, body: .stream(TestSource(100_000), length: nil)))
        case "/known":
            .answer(HTTPResponse(200, body: .stream(TestSource(100_000), length: 100_000)))
        case "/breaks":
            .answer(
                HTTPResponse(200, body: .stream(TestSource(100_000, breaksAt: 70_000), length: nil))
            )
        case "/breaksKnown":
            .answer(
                HTTPResponse(
                    200, body: .stream(TestSource(100_000, breaksAt: 70_000), length: 100_000)))
        case "/short":
            .answer(HTTPResponse(200, body: .stream(TestSource(70_000), length: 100_000)))
        case "/304": .answer(HTTPResponse(304, [("ETag", "\"a\"")], body: .unsent(length: 1000)))
        case "/304unknown": .answer(HTTPResponse(304, body: .unsent(length: nil)))
        case "/304none": .answer(HTTPResponse(304))
        case "/204": .answer(HTTPResponse(204, body: .text("nothing of this")))
        case "/echo":
            .collect(upTo: 1000) { HTTPResponse(200, body: .bytes($0)) }
        default: .answer(HTTPResponse(200, body: .text("ok")))
        }
    }

    private static func exchange(
        _ text: String
    ) throws -> (text: String, end: RawClient.End, records: [ExchangeRecord]) {
        let handler = TestHandler(plan)
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 5) }
        let client = try RawClient(port: server.port)
        client.send(text)
        let (answer, end) = client.receiveAll()
        return (answer, end, handler.records(1))
    }

    private static func get(_ path: String, _ fields: String = "", method: String = "GET") -> String
    {
        "\(method) \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n"
    }

    @Test(
        "HEAD, 204 and 304 have no body and no stray chunk",
        arguments: [
            ("HEAD", "/unknown", nil), ("HEAD", "/known", "100000"), ("HEAD", "/", "2"),
            ("GET", "/304", "1000"), ("GET", "/304unknown", nil), ("GET", "/304none", nil),
            ("GET", "/204", nil), ("HEAD", "/304", "1000"), ("HEAD", "/204", nil),
        ] as [(String, String, String?)])
    func bodyless(method: String, path: String, length: String?) throws {
        let found = try Self.exchange(
            Self.get(path, "Connection: close\r\n", method: method))
        #expect(found.text.hasSuffix("\r\n\r\n"))
        #expect(found.text.components(separatedBy: "\r\n\r\n").count == 2)
        var bytes = Array(found.text.utf8)
        let response = try #require(RawResponse(&bytes, hasBody: false))
        #expect(response["Content-Length"] == length)
        #expect(response["Transfer-Encoding"] == nil)
        #expect(found.end == .closed)
        #expect(found.records.map(\.sentBytes) == [0])
        #expect(found.records.map(\.isComplete) == [true])
    }

    @Test("A body of unknown length comes in chunks, and to HTTP/1.0 until the end")
    func unknownLength() throws {
        let whole = String(decoding: TestSource.bytes(0..<100_000), as: UTF8.self)
        let new = try Self.exchange(Self.get("/unknown", "Connection: close\r\n"))
        #expect(new.text.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(new.text.hasSuffix("\r\n0\r\n\r\n"))
        #expect(new.records.map(\.sentBytes) == [100_000])
        let old = try Self.exchange("GET /unknown HTTP/1.0\r\n\r\n")
        #expect(old.text.hasSuffix("\r\n\r\n\(whole)"))
        #expect(!old.text.contains("chunked") && !old.text.contains("Content-Length"))
        #expect(old.end == .closed)
        #expect(old.records.map(\.isComplete) == [true])
    }

    @Test(
        "A body that breaks off ends in a reset, never cleanly",
        arguments: [
            "GET /breaks HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /breaksKnown HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /short HTTP/1.1\r\nHost: h\r\n\r\n", "GET /breaks HTTP/1.0\r\n\r\n",
        ])
    func broken(request: String) throws {
        let found = try Self.exchange(request)
        #expect(found.end == .reset)
        #expect(!found.text.hasSuffix("0\r\n\r\n"))
        let record = try #require(found.records.first)
        #expect(!record.isComplete && record.status == 200)
        #expect(record.sentBytes <= 70_000)
    }

    @Test("HTTP/1.0 keeps a connection only where it asks for it")
    func keepAlive() throws {
        let closed = try Self.exchange("GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n")
        #expect(closed.records.count == 1)
        #expect(closed.end == .closed)
        let kept = try Self.exchange(
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n")
        #expect(kept.text.components(separatedBy: "HTTP/1.1 200").count == 3)
    }

    @Test("A refusal is problem+json, also in the middle of a body")
    func problem() throws {
        let chunk = "Transfer-Encoding: chunked\r\n"
        for request in [
            Self.get("/", "Host: g\r\n"), Self.get("/echo", chunk, method: "POST") + "zz\r\n",
            Self.get("/echo", "Content-Length: x\r\n", method: "POST"),
        ] {
            let found = try Self.exchange(request)
            var bytes = Array(found.text.utf8)
            let response = try #require(RawResponse(&bytes, hasBody: true))
            #expect(response["Content-Type"] == "application/problem+json")
            let body = try JSONSerialization.jsonObject(with: Data(response.body))
            let members = try #require(body as? [String: Any])
            #expect(members["status"] as? Int == 400)
            #expect(members["code"] as? String == "malformedRequest")
            #expect(members["instance"] as? String == response["X-Request-Id"])
            #expect(found.records.map(\.status) == [400])
        }
    }

    @Test("An absolute target names the host that counts")
    func absolute() throws {
        let handler = TestHandler {
            .answer(HTTPResponse(200, body: .text("\($0.target) \($0.fields.values("Host"))")))
        }
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send("GET http://evil.example:80/x?y HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.response().text == "/x?y [\"evil.example:80\"]")
        client.send("GET HTTP://b HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.response().text == "/ [\"b\"]")
        client.send("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.response().text == "* [\"h\"]")
    }
}
