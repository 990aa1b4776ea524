import Foundation
import TakeupHTTP
import TakeupLanes
import Testing

@Suite("Bodies of requests", .timeLimit(.minutes(2)))
struct BodyTests {
    private static func post(_ path: String, _ fields: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n"
    }

    private static func collecting(_ limit: Int) -> TestHandler {
        TestHandler { _ in .collect(upTo: limit) { HTTPResponse(200, body: .bytes($0)) } }
    }

    @Test("are collected, by length and by chunks, with another request behind")
    func collected() throws {
        let server = try HTTPServer(Self.collecting(10))
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(Self.post("/", "Content-Length: 10\r\n") + "0123456789")
        client.send(Self.post("/", "Content-Length: 0\r\n"))
        client.send(
            Self.post("/", "Transfer-Encoding: chunked\r\n")
                + "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n")
        #expect(try client.response().text == "0123456789")
        #expect(try client.response().text == "")
        #expect(try client.response().text == "abcde")
    }

    @Test(
        "in chunks that somebody could read otherwise let no other request in",
        arguments: [
            "3\r\nabc\r\n0\r\n\r\n", "3\nabc\n0\n\n", "3;a\nabc\r\n0\r\n\r\n",
            "3\r\nabc\r\n0\r\nA: b\n c\n\n", "3\r\nabc\r\n0\r\nA: b\r\n c\r\n\r\n",
        ])
    func smuggling(body: String) throws {
        let handler = Self.collecting(10)
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(
            Self.post("/", "Transfer-Encoding: chunked\r\n") + body
                + Self.post("/smuggled", "Content-Length: 0\r\n"))
        client.finish()
        let text = client.receiveAll().text
        #expect(text.components(separatedBy: "HTTP/1.1 ").count <= 2, "\(text)")
        server.stop(graceSeconds: 1)
        #expect(!handler.records(1).contains { $0.request.target == "/smuggled" })
    }

    @Test(
        "in chunks whose lines never end are refused as the client's fault",
        arguments: ["3;a=", "0\r\nA: ", "3\r\nabc\r\n2;"])
    func longLines(start: String) throws {
        let server = try HTTPServer(Self.collecting(10))
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(Self.post("/", "Transfer-Encoding: chunked\r\n") + start)
        client.send(String(repeating: "x", count: 300_000))
        client.finish()
        let text = client.receiveAll().text
        #expect(text.hasPrefix("HTTP/1.1 4"), "\(text.prefix(300))")
    }

    @Test("are refused with 413 before a byte of them was read")
    func tooLarge() throws {
        let handler = Self.collecting(10)
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(Self.post("/", "Content-Length: 10000000000\r\nExpect: 100-continue\r\n"))
        let response = try client.response()
        #expect(response.status == 413)
        #expect(response["Connection"] == "close")
        client.finish()
        #expect(client.receiveAll().end == .closed)
        #expect(handler.records(1).map(\.receivedBytes) == [0])
    }

    @Test("that turn out too large are refused while they come, and the client sees it")
    func growsTooLarge() throws {
        let server = try HTTPServer(Self.collecting(100_000))
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(Self.post("/", "Transfer-Encoding: chunked\r\n"))
        let chunk = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
        // More than the kernel's buffers hold: the server needs to read on for its answer to be seen.
        for _ in 0..<1000 where !client.send(chunk) { break }
        client.finish()
        let (text, end) = client.receiveAll()
        #expect(text.hasPrefix("HTTP/1.1 413 "))
        #expect(end == .closed)
    }

    @Test("are asked for only once the head is accepted")
    func expectation() throws {
        let server = try HTTPServer(Self.collecting(10))
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(Self.post("/", "Content-Length: 3\r\nExpect: 100-Continue\r\n"))
        let first = try client.response()
        #expect(first.status == 100)
        client.send("abc")
        #expect(try client.response().text == "abc")
    }

    private final class Receiver: BodyReceiver {
        let state = Locked((bytes: [UInt8](), cancels: 0, finishes: 0))
        private let limit: Int

        init(limit: Int = .max) { self.limit = limit }

        func receive(_ bytes: UnsafeRawBufferPointer) -> HTTPResponse? {
            state.withLock { $0.bytes.append(contentsOf: bytes) }
            return state.withLock { $0.bytes.count } > limit
                ? HTTPResponse(507, body: .text("full")) : nil
        }

        func finish() -> HTTPResponse {
            state.withLock { $0.finishes += 1 }
            return HTTPResponse(201, body: .text("all"))
        }

        func cancel() { state.withLock { $0.cancels += 1 } }

        var facts: [Int] { state.withLock { [$0.bytes.count, $0.finishes, $0.cancels] } }
    }

    @Test("reach their receiver as they come")
    func received() throws {
        let receiver = Receiver()
        let server = try HTTPServer(TestHandler { _ in .receive(receiver) })
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(Self.post("/", "Content-Length: 1000000\r\n"))
        let bytes = TestSource.bytes(0..<1_000_000)
        client.send(bytes)
        #expect(try client.response().status == 201)
        #expect(receiver.state.withLock { $0.bytes == bytes })
        #expect(receiver.facts == [1_000_000, 1, 0])
    }

    @Test("end their receiver when the client leaves")
    func left() throws {
        let receiver = Receiver()
        let handler = TestHandler { _ in .receive(receiver) }
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 1) }
        do {
            let client = try RawClient(port: server.port)
            client.send(Self.post("/", "Content-Length: 1000\r\n") + "abc")
            while receiver.facts[0] < 3 { usleep(1000) }
        }
        let record = try #require(handler.records(1).first)
        #expect(record.status == 0 && record.receivedBytes == 3 && !record.isComplete)
        #expect(receiver.facts == [3, 0, 1])
    }

    @Test("can be answered by their receiver before they end")
    func answeredEarly() throws {
        let receiver = Receiver(limit: 5)
        let handler = TestHandler { _ in .receive(receiver) }
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(Self.post("/", "Content-Length: 1000\r\n") + "abcdef")
        let response = try client.response()
        #expect(response.status == 507 && response.text == "full")
        client.finish()
        #expect(client.receiveAll().end == .closed)
        let record = try #require(handler.records(1).first)
        #expect(record.status == 507 && record.isComplete && record.sentBytes == 4)
        #expect(receiver.facts == [6, 0, 0])
    }

    @Test("that nobody wants are dropped behind the answer")
    func unwanted() throws {
        let server = try HTTPServer(TestHandler { _ in .answer(HTTPResponse(401)) })
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send(Self.post("/", "Content-Length: 5000000\r\n"))
        client.send([UInt8](repeating: 97, count: 5_000_000))
        client.finish()
        let (text, end) = client.receiveAll()
        #expect(text.hasPrefix("HTTP/1.1 401 ") && end == .closed)
    }
}
