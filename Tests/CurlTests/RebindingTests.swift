import TakeupCurl
import TakeupLanes
import Testing

@Suite("Addresses of a name")
struct RebindingTests {
    @Test("connects to the permitted one of two, whichever comes first", arguments: [true, false])
    func onePermitted(forbiddenFirst: Bool) throws {
        let answering: @Sendable (ScriptedServer.Connection) -> Void = { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let permitted = try ScriptedServer(on: "127.0.0.1", answering)
        let forbidden = try ScriptedServer(on: "127.0.0.2", port: permitted.port, answering)
        let good = try #require(IPAddress("127.0.0.1"))
        let bad = try #require(IPAddress("127.0.0.2"))
        let address = try WebAddress("http://media.example:\(permitted.port)/a")
        var request = TransferRequest(address) { address, _ in address == good }
        request.addresses = forbiddenFirst ? [bad, good] : [good, bad]
        let fetched = try Fetched(request)
        #expect(fetched.text == "ok")
        #expect(fetched.result.peer == good)
        #expect(forbidden.accepted == 0)
        #expect(try #require(permitted.requests.first).contains("Host: media.example:"))
    }

    @Test("tells a denial when each address is forbidden")
    func nonePermitted() throws {
        let server = try ScriptedServer { $0.readRequest() }
        let first = try #require(IPAddress("127.0.0.1"))
        let second = try #require(IPAddress("127.0.0.2"))
        let asked = Locked<[IPAddress]>([])
        let address = try WebAddress("http://media.example:\(server.port)/a")
        var request = TransferRequest(address) { address, _ in
            asked.withLock { $0.append(address) }
            return false
        }
        request.addresses = [first, second]
        let kind = try Fetched.kind { try Fetched(request) }
        #expect(kind == .denied(second) || kind == .denied(first))
        #expect(Set(asked.withLock { $0 }) == [first, second])
        #expect(server.accepted == 0)
    }

    @Test(
        "a listener sees nothing of a denied address, however it is spelt",
        arguments: [
            "127.0.0.1", "127.1", "0x7f.1", "0177.1", "2130706433", "１２７.０.０.１", "[::ffff:7f00:1]",
        ])
    func spellings(host: String) throws {
        let server = try ScriptedServer { $0.readRequest() }
        let address = try WebAddress("http://\(host):\(server.port)/")
        let kind = try Fetched.kind { try Fetched(TransferRequest(address) { _, _ in false }) }
        #expect(kind == .denied(try #require(address.literal)))
        #expect(server.accepted == 0)
    }

    @Test("a name that leads somewhere else each time never leads to a forbidden address (S2)")
    func thousandRebinds() throws {
        let answering: @Sendable (ScriptedServer.Connection) -> Void = { connection in
            // Closed, so that each request looks for its address anew.
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        }
        let permitted = try ScriptedServer(on: "127.0.0.1", answering)
        let forbidden = try ScriptedServer(on: "127.0.0.2", port: permitted.port, answering)
        let good = try #require(IPAddress("127.0.0.1"))
        let bad = try #require(IPAddress("127.0.0.2"))
        let address = try WebAddress("http://media.example:\(permitted.port)/a")
        let transfer = try Transfer()
        var answered = 0
        for round in 0..<1000 {
            var request = TransferRequest(address) { address, _ in address == good }
            request.addresses = [[good], [bad], [good, bad], [bad, good]][round * 7 / 3 % 4]
            guard let fetched = try? Fetched(request, over: transfer) else { continue }
            #expect(fetched.result.peer == good)
            answered += 1
        }
        #expect(answered > 700, "\(answered) were answered")
        #expect(forbidden.accepted == 0)
    }

    @Test("a later request goes to where its name leads then")
    func changedName() throws {
        let server = try ScriptedServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        }
        let good = try #require(IPAddress("127.0.0.1"))
        let bad = try #require(IPAddress("127.0.0.2"))
        let address = try WebAddress("http://media.example:\(server.port)/a")
        var request = TransferRequest(address) { address, _ in address == good }
        request.addresses = [good]
        let transfer = try Transfer()
        #expect(try Fetched(request, over: transfer).text == "ok")
        request.addresses = [bad]
        let kind = try Fetched.kind { try Fetched(request, over: transfer) }
        #expect(kind == .denied(bad))
    }
}
