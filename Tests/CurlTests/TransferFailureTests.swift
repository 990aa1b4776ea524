import Foundation
import TakeupCurl
import Testing

@Suite("Transfer that fails")
struct TransferFailureTests {
    @Test(
        "tells an answer that ends early, with what came of it",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", 5),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", 5),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhel", 3),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", 0),
            ("", 0),
        ] as [(String, Int64)])
    func cut(answer: String, bytes: Int64) throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send(answer)
        }
        #expect(try Fetched.kind { try Fetched(from: server) } == .cut(bodyBytes: bytes))
    }

    @Test("tells that this process has no free file, and not that nobody answers")
    func outOfFiles() async {
        await #expect(processExitsWith: .success) {
            let transfer = try Transfer()
            let addresses = try ["http://127.0.0.1:9/", "http://localhost:9/"].map {
                try WebAddress($0)
            }
            while open("/dev/null", O_RDONLY) >= 0 {}
            for address in addresses {
                let request = TransferRequest(address) { _, _ in true }
                do throws(CurlError) {
                    _ = try transfer.perform(request, onHead: { _ in true }, onBody: { _ in true })
                    exit(1)
                } catch {
                    guard error.kind == .outOfFiles else { exit(2) }
                }
            }
        }
    }

    @Test("tells a reset in the body")
    func reset() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            connection.resetOnClose()
        }
        #expect(try Fetched.kind { try Fetched(from: server) } == .cut(bodyBytes: 0))
    }

    @Test(
        "refuses what is no proper answer",
        arguments: [
            "no http at all\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
            "HTTP/1.1 101 Switching Protocols\r\n\r\nhello",
        ])
    func improper(answer: String) throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send(answer)
        }
        #expect(try Fetched.kind { try Fetched(from: server) } == .protocol)
    }

    @Test("refuses a head above its limit: in many lines, in one, in endless interim heads")
    func largeHead() throws {
        let line = "X-Filler: \(String(repeating: "a", count: 1000))\r\n"
        let many = String(repeating: line, count: 200)
        let one = "X-Filler: \(String(repeating: "a", count: 200_000))\r\n"
        let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\n\(line)\r\n", count: 200)
        for answer in ["HTTP/1.1 200 OK\r\n\(many)\r\n", "HTTP/1.1 200 OK\r\n\(one)\r\n", interim] {
            let server = try ScriptedServer { connection in
                connection.readRequest()
                connection.send(answer)
            }
            #expect(try Fetched.kind { try Fetched(from: server) } == .tooLarge)
        }
    }

    @Test("refuses endless trailers")
    func largeTrailers() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
            while connection.send("X-Filler: \(String(repeating: "a", count: 1000))\r\n") {}
        }
        #expect(try Fetched.kind { try Fetched(from: server) } == .tooLarge)
    }

    @Test("refuses a body above its limit: at its head when that tells, else at the limit")
    func largeBody() throws {
        var limits = TransferLimits()
        limits.bodyBytes = 100_000
        let stated = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000000000\r\n\r\nabc")
            connection.holdStill()
        }
        #expect(try Fetched.kind { try Fetched(from: stated, limits: limits) } == .tooLarge)
        for framing in ["Transfer-Encoding: chunked", "X-Framing: none"] {
            let endless = try ScriptedServer { connection in
                connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
                let chunk = "1000\r\n\(String(repeating: "a", count: 4096))\r\n"
                while connection.send(chunk) {}
            }
            #expect(try Fetched.kind { try Fetched(from: endless, limits: limits) } == .tooLarge)
        }
    }

    @Test("gives up on a silent origin, and on one that sends its head byte by byte")
    func slowHead() throws {
        var limits = TransferLimits()
        limits.headSeconds = 0.3
        let silent = try ScriptedServer { connection in
            connection.readRequest()
            connection.holdStill()
        }
        #expect(try Fetched.kind { try Fetched(from: silent, limits: limits) } == .timeout)
        let slow = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X: y\r\n") { usleep(20_000) }
        }
        #expect(try Fetched.kind { try Fetched(from: slow, limits: limits) } == .timeout)
    }

    @Test("gives up on a body that stalls or trickles")
    func slowBody() throws {
        var limits = TransferLimits()
        limits.lowSpeedSeconds = 0.4
        let stalled = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhello")
            connection.holdStill()
        }
        #expect(try Fetched.kind { try Fetched(from: stalled, limits: limits) } == .tooSlow)
        let trickling = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send("a") { usleep(20_000) }
        }
        #expect(try Fetched.kind { try Fetched(from: trickling, limits: limits) } == .tooSlow)
    }

    @Test("gives up on an answer that takes too long on the whole, however fast it comes")
    func total() throws {
        var limits = TransferLimits()
        limits.totalSeconds = 0.4
        let endless = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send(String(repeating: "a", count: 4096)) { usleep(1000) }
        }
        #expect(try Fetched.kind { try Fetched(from: endless, limits: limits) } == .timeout)
        let silent = try ScriptedServer { connection in
            connection.readRequest()
            connection.holdStill()
        }
        #expect(try Fetched.kind { try Fetched(from: silent, limits: limits) } == .timeout)
    }

    @Test("a slow consumer is no slow origin, and spends none of the time of the whole")
    func slowConsumer() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
            for _ in 0..<4 {
                usleep(30_000)
                connection.send("a")
            }
        }
        var request = TransferRequest(try WebAddress("http://127.0.0.1:\(server.port)/")) { _, _ in
            true
        }
        // Far more than a busy machine adds to the server's pauses, and less than the consumer's.
        request.limits.lowSpeedSeconds = 1
        request.limits.totalSeconds = 1.2
        let result = try Transfer().perform(request, onHead: { _ in true }) { _ in
            usleep(1_300_000)
            return true
        }
        #expect(result.bodyBytes == 4)
    }

    @Test("is not faster than its limit")
    func speedLimit() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 120000\r\n\r\n")
            connection.send([UInt8](repeating: 1, count: 120000))
        }
        var limits = TransferLimits()
        limits.bytesPerSecond = 200_000
        limits.lowSpeedBytesPerSecond = 1 << 20
        limits.lowSpeedSeconds = 0.3
        let fetched = try Fetched(from: server, limits: limits)
        #expect(fetched.result.bodyBytes == 120_000)
        #expect(fetched.result.seconds > 0.5)
    }

    @Test("tells a port where nobody listens")
    func nobody() throws {
        var port: UInt16 = 0
        do { port = try ScriptedServer { _ in }.port }
        let address = try WebAddress("http://127.0.0.1:\(port)/")
        let kind = try Fetched.kind { try Fetched(TransferRequest(address) { _, _ in true }) }
        #expect(kind == .connect)
    }

    @Test("an error names the address without its query")
    func subject() throws {
        let address = try WebAddress("http://127.0.0.1:1/a?token=secret")
        let error = #expect(throws: CurlError.self) {
            try Fetched(TransferRequest(address) { _, _ in false })
        }
        #expect(error?.subject == "http://127.0.0.1:1/a?…")
        #expect(error?.operation == .transfer)
    }

    @Test(
        "sends no field that would be another line or frame the message",
        arguments: [
            ("X-A", "b\r\nHost: c"), ("X-A", "b\nc"), ("X-A", "b\0c"), ("X-A", "b\u{7F}"),
            ("X-A: b\r\nY", "c"), ("", "b"), ("X A", "b"), ("X:A", "b"), ("Ä", "b"),
            ("Host", "c"), ("Content-Length", "3"), ("transfer-encoding", "chunked"),
            ("Accept-Encoding", "gzip"), ("Connection", "close"),
        ])
    func badFields(name: String, value: String) throws {
        let server = try ScriptedServer { $0.readRequest() }
        let kind = try Fetched.kind { try Fetched(from: server, fields: [.init(name, value)]) }
        #expect(kind == .refused(.field))
        #expect(server.accepted == 0)
    }
}
