import Foundation
import TakeupCurl
import TakeupLanes
import Testing

@Suite("Transfer cancellation")
struct TransferCancellationTests {
    @Test("ends a transfer whose origin is silent", arguments: ["", "HTTP/1.1 200 OK\r\n\r\nabc"])
    func silentOrigin(answer: String) throws {
        let cancellation = TransferCancellation()
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send(answer)
            usleep(50_000)
            cancellation.cancel()
            connection.holdStill()
        }
        let request = TransferRequest(try WebAddress("http://127.0.0.1:\(server.port)/")) { _, _ in
            true
        }
        let kind = try Fetched.kind { try Fetched(request, cancellation: cancellation) }
        #expect(kind == .cancelled)
    }

    @Test("wakes at once and not at the next look at the clock")
    func wakes() throws {
        let transfer = try Transfer()
        var fastest = Duration.seconds(10)
        for _ in 0..<5 {
            let cancellation = TransferCancellation()
            let cancelledAt = Locked<ContinuousClock.Instant?>(nil)
            let server = try ScriptedServer { connection in
                connection.readRequest()
                usleep(20_000)
                cancelledAt.withLock { $0 = .now }
                cancellation.cancel()
                connection.holdStill()
            }
            let address = try WebAddress("http://127.0.0.1:\(server.port)/")
            let request = TransferRequest(address) { _, _ in true }
            let kind = try Fetched.kind {
                try Fetched(request, over: transfer, cancellation: cancellation)
            }
            #expect(kind == .cancelled)
            let since = try #require(cancelledAt.withLock { $0 })
            fastest = min(fastest, ContinuousClock.now - since)
        }
        #expect(fastest < .milliseconds(500), "the fastest of five took \(fastest)")
    }

    @Test("lets nothing begin afterwards, and leaves the transfer fit for others")
    func afterwards() throws {
        let server = try ScriptedServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let transfer = try Transfer()
        let address = try WebAddress("http://127.0.0.1:\(server.port)/")
        let request = TransferRequest(address) { _, _ in true }
        let cancellation = TransferCancellation()
        cancellation.cancel()
        let kind = try Fetched.kind {
            try Fetched(request, over: transfer, cancellation: cancellation)
        }
        #expect(kind == .cancelled)
        #expect(server.accepted == 0)
        #expect(try Fetched(request, over: transfer).text == "ok")
    }
}
