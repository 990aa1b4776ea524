import Foundation
import TakeupCurl
import Testing

@Suite("Transfer")
struct TransferTests {
    @Test("gives the final head once, and the body")
    func wholeAnswer() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                    + "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nX-Long: one\r\n  two\r\n"
                    + "Content-Range: bytes 0-4/9\r\nContent-Length: 5\r\n\r\nhello")
        }
        let fetched = try Fetched(
            from: server, fields: [.init("Range", "bytes=0-4"), .init("X-Empty", "")])
        #expect(fetched.heads.count == 1)
        #expect(fetched.result.head.status == 206)
        #expect(fetched.result.head["etag"] == "\"a\"")
        #expect(fetched.result.head["link"] == nil)
        #expect(fetched.result.head["x-long"] == "one two")
        #expect(fetched.text == "hello")
        #expect(fetched.result.bodyBytes == 5)
        #expect(fetched.result.ending == .complete)
        #expect(fetched.result.peer == IPAddress("127.0.0.1"))
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("GET /clip.mp4 HTTP/1.1\r\n"))
        #expect(request.contains("\r\nRange: bytes=0-4\r\n"))
        #expect(request.contains("\r\nAccept-Encoding: identity\r\n"))
        #expect(request.contains("\r\nX-Empty:\r\n"))
        #expect(!request.contains("Cookie") && !request.contains("Authorization"))
    }

    @Test("joins chunks, and keeps trailers out of the head")
    func chunked() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: ETag\r\n\r\n"
                    + "5\r\nhello\r\n6\r\n world\r\n0\r\nETag: \"late\"\r\nHTTP/1.1 500: no\r\n\r\n"
            )
        }
        let fetched = try Fetched(from: server)
        #expect(fetched.text == "hello world")
        #expect(fetched.heads.count == 1)
        #expect(fetched.result.head.status == 200)
        #expect(fetched.result.head["etag"] == nil)
    }

    @Test("asks twice over one connection")
    func keepAlive() throws {
        let server = try ScriptedServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let transfer = try Transfer()
        for path in ["/a", "/b"] {
            #expect(try Fetched(path, from: server, over: transfer).text == "ok")
        }
        #expect(server.accepted == 1)
        #expect(server.requests.count == 2)
    }

    @Test("vets a kept connection for each request")
    func keptConnectionIsVetted() throws {
        let server = try ScriptedServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let transfer = try Transfer()
        _ = try Fetched("/a", from: server, over: transfer)
        let address = try WebAddress("http://127.0.0.1:\(server.port)/b")
        let kind = try Fetched.kind {
            try Fetched(TransferRequest(address) { _, _ in false }, over: transfer)
        }
        #expect(kind == .denied(try #require(IPAddress("127.0.0.1"))))
        #expect(server.requests.count == 1)
    }

    @Test("follows no redirect")
    func redirect() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        }
        let fetched = try Fetched(from: server)
        #expect(fetched.result.head.status == 302)
        #expect(fetched.result.head["location"] == "http://127.0.0.1:1/")
    }

    @Test("never unpacks a body")
    func rawBody() throws {
        let packed: [UInt8] = [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3, 0x4B, 4, 0]
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
            )
            connection.send(packed)
        }
        let fetched = try Fetched(from: server)
        #expect(fetched.body == packed)
        #expect(fetched.result.head["content-encoding"] == "gzip")
    }

    @Test("stores no cookie")
    func cookies() throws {
        let server = try ScriptedServer { connection in
            while connection.readRequest() != nil {
                connection.send(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nAlt-Svc: h2=\":1\"\r\n"
                        + "Content-Length: 0\r\n\r\n")
            }
        }
        let transfer = try Transfer()
        for path in ["/a", "/b"] { _ = try Fetched(path, from: server, over: transfer) }
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.contains("Cookie:") })
    }

    @Test("ends quietly when the caller wants no more")
    func stoppedByCaller() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            while connection.send([UInt8](repeating: 1, count: 65536)) {}
        }
        let address = try WebAddress("http://127.0.0.1:\(server.port)/")
        let request = TransferRequest(address) { _, _ in true }
        let transfer = try Transfer()
        let atHead = try transfer.perform(request, onHead: { _ in false }, onBody: { _ in true })
        #expect(atHead.ending == .stoppedByCaller)
        #expect(atHead.bodyBytes == 0)
        var pieces = 0
        let inBody = try transfer.perform(request, onHead: { _ in true }) { _ in
            pieces += 1
            return pieces < 3
        }
        #expect(inBody.ending == .stoppedByCaller)
        #expect(pieces == 3)
    }

    @Test("gives much at once when there is much, and little at once when nothing else is there")
    func pieces() throws {
        let given = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8388613\r\n\r\nhello")
            guard given.wait(timeout: .now() + 60) == .success else { return }
            connection.send([UInt8](repeating: 7, count: 8 << 20))
        }
        let address = try WebAddress("http://127.0.0.1:\(server.port)/")
        let request = TransferRequest(address) { _, _ in true }
        var sizes: [Int] = []
        let result = try Transfer().perform(request, onHead: { _ in true }) { bytes in
            given.signal()
            sizes.append(bytes.count)
            return true
        }
        #expect(result.ending == .complete)
        #expect(sizes.first == 5)
        #expect(sizes.reduce(0, +) == 8_388_613)
        #expect(sizes.max() ?? 0 > 64 << 10)
    }

    @Test("makes the origin wait while the body's consumer takes its time")
    func backPressure() throws {
        let sent = SentBytes()
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 65536)
            for _ in 0..<640 where connection.send(piece) { sent.add(piece.count) }
        }
        let request = TransferRequest(try WebAddress("http://127.0.0.1:\(server.port)/")) { _, _ in
            true
        }
        var ahead = 0
        let result = try Transfer().perform(request, onHead: { _ in true }) { _ in
            // The consumer's first piece lasts until the origin sends no more.
            if ahead == 0 { ahead = sent.whenStill() }
            return true
        }
        #expect(result.bodyBytes == 640 * 65536)
        #expect(ahead < 20 << 20, "\(ahead) bytes were sent ahead of the consumer")
    }

    @Test("takes nothing from the environment")
    func environment() async {
        await #expect(processExitsWith: .success) {
            for name in ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"] {
                setenv(name, "http://127.0.0.1:1", 1)
            }
            let server = try ScriptedServer { connection in
                connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            #expect(try Fetched(from: server).text == "ok")
        }
    }
}
