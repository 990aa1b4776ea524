import Foundation
import TestSupport
import Testing

@Suite("Test origin: heads, records, threads")
struct OriginServerTests {
    private func origin(_ change: (inout OriginFaults) -> Void = { _ in }) throws -> TestOrigin {
        var faults = OriginFaults()
        change(&faults)
        let origin = try TestOrigin()
        origin.serve("/a", OriginObject(.synthetic(length: 1000), faults: faults))
        return origin
    }

    @Test(
        "writes the names of fields in any case",
        arguments: [
            (.canonical, "Content-Length"), (.lower, "content-length"), (.upper, "CONTENT-LENGTH"),
            (.odd, "cOnTeNt-lEnGtH"),
        ] as [(OriginHeadFaults.NameCase, String)])
    func nameCases(nameCase: OriginHeadFaults.NameCase, name: String) throws {
        let answer = try origin { $0.head.names = nameCase }.ask("/a")
        #expect(answer.fields.contains { $0.name == name })
    }

    @Test("sends a large head, a slow one, and a late one")
    func heads() throws {
        let origin = try origin { $0.head.paddingBytes = 100_000 }
        #expect(try origin.ask("/a").headBytes > 100_000)
        origin.change("/a") { $0.faults.head = OriginHeadFaults() }
        origin.change("/a") { $0.faults.head.bytesPerSecond = 500 }
        let clock = ContinuousClock()
        let slow = try clock.measure { _ = try origin.ask("/a") }
        #expect(slow >= .milliseconds(300))
        origin.change("/a") { $0.faults.head = OriginHeadFaults() }
        origin.change("/a") { $0.faults.head.delaySeconds = 0.2 }
        let late = try clock.measure { _ = try origin.ask("/a") }
        #expect(late >= .milliseconds(200))
    }

    @Test("records what was asked and what was sent")
    func records() throws {
        let origin = try origin()
        let client = try OriginClient(origin)
        _ = client.ask("/a?x=%20", ["Range: bytes=0-9", "X-Y:  z "])
        _ = client.ask("/none")
        #expect(origin.wait { $0.requests.last?.ending == .complete })
        let first = try #require(origin.requests("/a").first)
        #expect((first.method, first.query, first.range) == ("GET", "x=%20", "bytes=0-9"))
        #expect(first.fields["x-y"] == "z")
        #expect((first.status, first.bodyBytes, first.connection) == (206, 10, 0))
        #expect(try #require(first.endSeconds) >= first.seconds)
        #expect(origin.requests("/none").map(\.status) == [404])
        #expect(origin.requestCount("/a") == 1 && origin.bytesServed("/a") == 10)
        #expect(origin.totals.connections == 1 && origin.totals.requests == 2)
        #expect(origin.problems.isEmpty)
    }

    @Test("tells what it could not read or serve")
    func problems() throws {
        let origin = try origin()
        origin.serve("/gone", OriginObject(.file("/no/such/file")))
        #expect(try origin.ask("/gone").status == 500)
        let client = try OriginClient(origin)
        client.sendText("nonsense")
        #expect(client.answer().status == 400)
        origin.change("/none") { _ in }
        #expect(origin.problems.count == 3)
        #expect(try origin.ask("/a", method: "PUT").status == 405)
    }

    @Test("serves a file, with a tag that changes with it")
    func files() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Data("0123456789".utf8), to: "f")
        let origin = try TestOrigin(fallback: { name in
            name == "/f" ? OriginObject(.file(path), tag: .ofFile, lastModified: nil) : nil
        })
        let first = try origin.ask("/f", ["Range: bytes=2-4"])
        #expect(first.body == Array("234".utf8) && first.fields["Last-Modified"] != nil)
        try directory.write(Data("another".utf8), to: "f")
        let second = try origin.ask("/f")
        #expect(second.body == Array("another".utf8))
        #expect(first.fields["ETag"] != nil && first.fields["ETag"] != second.fields["ETag"])
        #expect(try origin.ask("/g").status == 404)
    }

    @Test("serves many at once, counts them, and waits with more than it may have")
    func manyAtOnce() async throws {
        let origin = try TestOrigin(connectionLimit: 8)
        let content = OriginContent.synthetic(length: 300_000)
        origin.serve("/a", OriginObject(content))
        let whole = try content.read(0..<300_000)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask { try origin.ask("/a").body == whole }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(origin.bytesServed("/a") == 40 * 300_000)
        #expect(origin.totals.peakConnections <= 8)
        #expect(origin.wait { $0.totals.openConnections == 0 })
    }

    @Test("counts the answers that are under way together")
    func peak() throws {
        let origin = try origin { $0.stalls = [OriginStall(at: 10, times: nil)] }
        let clients = try (0..<3).map { _ in try OriginClient(origin) }
        for client in clients { client.send("GET", "/a") }
        #expect(origin.wait { $0.totals.openRequests == 3 })
        origin.release("/a")
        for client in clients { #expect(client.answer().body.count == 1000) }
        #expect(origin.wait { $0.totals.openRequests == 0 })
        #expect(origin.totals.peakRequests == 3)
    }

    @Test("sees a client leave while it stands still")
    func seesClientLeave() throws {
        let origin = try origin { $0.stalls = [OriginStall(at: 10)] }
        do {
            let client = try OriginClient(origin)
            client.send("GET", "/a")
            _ = client.answer(bodyLimit: 10)
        }
        #expect(origin.wait { $0.requests[0].ending == .clientLeft })
    }

    @Test("stops within a second, whatever its connections do")
    func stops() throws {
        let origin = try origin { $0.stalls = [OriginStall(at: 10)] }
        var slow = OriginObject(.synthetic(length: 1 << 40))
        slow.faults.bytesPerSecond = 1
        origin.serve("/slow", slow)
        origin.serve("/full", OriginObject(.synthetic(length: 1 << 40)))
        let clients = try (0..<4).map { _ in try OriginClient(origin) }
        for (client, path) in zip(clients, ["/a", "/slow", "/full"]) { client.send("GET", path) }
        #expect(origin.wait { $0.totals.openRequests == 3 && $0.totals.openConnections == 4 })
        let time = ContinuousClock().measure { #expect(origin.stop()) }
        #expect(time < .seconds(1))
        #expect(origin.requests.map(\.ending) == [.stopped, .stopped, .stopped])
        #expect(throws: POSIXError.self) { try OriginClient(origin) }
        // The optimiser would let them go, and their connections with them, before the stop.
        withExtendedLifetime(clients) {}
    }
}
