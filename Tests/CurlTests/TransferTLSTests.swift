import TakeupCurl
import TestSupport
import Testing

@Suite("Transfer over TLS", .enabled(if: TLSServer.isThere, "needs openssl"))
struct TransferTLSTests {
    private func kind(_ port: UInt16, trusting authorities: String?) throws -> CurlError.Kind? {
        let address = try WebAddress("https://127.0.0.1:\(port)/")
        var request = TransferRequest(address) { _, _ in true }
        request.authorities = authorities
        return try Fetched.kind { try Fetched(request) }
    }

    @Test("takes a certificate that it was told to trust, and no other")
    func trust() throws {
        let server = try TLSServer.start()
        #expect(try kind(server.port, trusting: server.certificate) == nil)
        #expect(try kind(server.port, trusting: nil) == .tls)
    }

    @Test("refuses a certificate of another host")
    func otherHost() throws {
        let server = try TLSServer.start(name: "DNS:other.example")
        #expect(try kind(server.port, trusting: server.certificate) == .tls)
    }

    @Test("refuses a certificate that has ended")
    func ended() throws {
        let server = try TLSServer.start(hasEnded: true)
        #expect(try kind(server.port, trusting: server.certificate) == .tls)
    }

    @Test("refuses TLS 1.1")
    func oldVersion() throws {
        let server = try TLSServer.start(options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        #expect(try kind(server.port, trusting: server.certificate) == .tls)
    }

    @Test("refuses an origin without TLS")
    func plain() throws {
        let server = try ScriptedServer { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(try kind(server.port, trusting: nil) == .tls)
    }
}
