import Foundation
import TestSupport
import Testing

@Suite("Test origin: bodies")
struct OriginBodyTests {
    private static let content = OriginContent.synthetic(length: 100_000)

    private func origin(_ change: (inout OriginFaults) -> Void) throws -> TestOrigin {
        var faults = OriginFaults()
        change(&faults)
        let origin = try TestOrigin()
        origin.serve("/a", OriginObject(Self.content, faults: faults))
        return origin
    }

    @Test("ends a body with chunks, or with the connection, also a range's")
    func framings() throws {
        let whole = try Self.content.read(0..<100_000)
        let origin = try origin { $0.framing = .chunked }
        let chunked = try origin.ask("/a", ["Range: bytes=9-"])
        #expect(chunked.status == 206 && chunked.fields["Content-Length"] == nil)
        #expect(chunked.body == Array(whole[9...]))
        origin.change("/a") { $0.faults.framing = .untilClose }
        let open = try origin.ask("/a")
        #expect(open.fields["Content-Length"] == nil && open.fields["Connection"] == "close")
        #expect(open.body == whole && open.end == .close)
        origin.change("/a") { $0.faults.framing = .declared(10 << 40) }
        let huge = try origin.ask("/a")
        #expect(huge.fields["Content-Length"] == "10995116277760" && huge.body == whole)
        #expect(origin.bytesServed("/a") == 299_991)
    }

    @Test("sends chunks without end until the client leaves")
    func endless() throws {
        let origin = try origin { $0.framing = .endlessChunked }
        do {
            let client = try OriginClient(origin)
            client.send("GET", "/a")
            let answer = client.answer(bodyLimit: 250_000)
            #expect(try answer.body[200_000..<250_000] == Self.content.read(0..<50_000)[...])
        }
        #expect(origin.wait { $0.requests.first?.ending == .clientLeft })
        #expect(origin.wait { $0.totals.openConnections == 0 })
    }

    @Test("cuts a body after exactly so many bytes", arguments: [0, 1, 4096, 99_999])
    func cuts(count: Int) throws {
        let origin = try origin { $0.cuts = [OriginCut(.bodyBytes(Int64(count)))] }
        let answer = try origin.ask("/a")
        #expect(answer.body.count == count && answer.end == .close)
        origin.change("/a") { $0.faults.cuts = [OriginCut(.bodyBytes(Int64(count)), by: .reset)] }
        let reset = try origin.ask("/a")
        #expect(reset.body.count == count && reset.end == .reset)
        #expect(origin.wait { $0.requests.map(\.ending) == [.cut, .reset] })
        #expect(origin.requests.map(\.bodyBytes) == [Int64(count), Int64(count)])
    }

    @Test("resets at offsets of the object until the client has resumed behind them")
    func resetsAtOffsets() throws {
        let offsets: [Int64] = [1000, 50_000, 99_000]
        let origin = try origin { $0.cuts = offsets.map { OriginCut(.offset($0), by: .reset) } }
        var bytes: [UInt8] = []
        for _ in 0...offsets.count {
            bytes += try origin.ask("/a", ["Range: bytes=\(bytes.count)-"]).body
        }
        #expect(try bytes == Self.content.read(0..<100_000))
        #expect(origin.bytesServed("/a") == 100_000)
    }

    @Test("cuts chunks without their end, and only so often")
    func cutsChunks() throws {
        let origin = try origin {
            ($0.framing, $0.cuts) = (.chunked, [OriginCut(.bodyBytes(500), times: 1)])
        }
        let cut = try origin.ask("/a")
        #expect(cut.body.count == 500 && cut.end == .close)
        #expect(try origin.ask("/a").body.count == 100_000)
    }

    @Test("stands still before a byte until it is released")
    func stalls() throws {
        let origin = try origin { $0.stalls = [OriginStall(at: 700)] }
        let client = try OriginClient(origin)
        client.send("GET", "/a")
        let first = client.answer(bodyLimit: 700)
        #expect(first.body.count == 700)
        #expect(origin.bytesServed("/a") == 700)
        #expect(origin.requests[0].ending == nil)
        origin.release("/a")
        #expect(origin.wait { $0.requests[0].ending == .complete })
        #expect(origin.bytesServed("/a") == 100_000)
    }

    @Test("stands still for a time, in ranges that hold the byte, once")
    func stallsForATime() throws {
        let origin = try origin { $0.stalls = [OriginStall(at: 700, seconds: 0.2)] }
        _ = try origin.ask("/a", ["Range: bytes=701-"])
        let clock = ContinuousClock()
        let stalled = try clock.measure { _ = try origin.ask("/a", ["Range: bytes=700-"]) }
        #expect(stalled >= .milliseconds(200))
        origin.change("/a") { $0.faults.stalls = [OriginStall(at: 700)] }
        let client = try OriginClient(origin)
        client.send("GET", "/a")
        _ = client.answer(bodyLimit: 700)
        // It stands still after the bytes before, and a request that came between would do so in its place.
        #expect(origin.wait { $0.requests[2].stalls == 1 })
        #expect(try origin.ask("/a").body.count == 100_000)
    }

    @Test("keeps to its rate within a tenth")
    func throttles() throws {
        let origin = try origin { $0.bytesPerSecond = 100_000 }
        var seconds: [Double] = []
        // A busy machine may slow one try down; it can make none faster.
        repeat {
            var count = 0
            let time = try ContinuousClock().measure { count = try origin.ask("/a").body.count }
            #expect(count == 100_000)
            seconds.append(time / .seconds(1))
        } while seconds.count < 5 && seconds[seconds.count - 1] > 1.1
        #expect(seconds.allSatisfy { $0 > 0.95 } && seconds.contains { $0 < 1.1 }, "\(seconds)")
    }

    @Test("trickles single bytes")
    func trickles() throws {
        let origin = try origin { $0.bytesPerSecond = 20 }
        var count = 0
        let time = try ContinuousClock().measure {
            count = try origin.ask("/a", ["Range: bytes=0-9"]).body.count
        }
        #expect(count == 10)
        #expect(time >= .milliseconds(450) && time < .seconds(5))
    }

    @Test("sends gzip that nobody asked for")
    func gzips() throws {
        let origin = try origin { $0.gzips = true }
        let answer = try origin.ask("/a", ["Accept-Encoding: identity"])
        #expect(answer.fields["Content-Encoding"] == "gzip")
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data(answer.body), to: "a.gz")
        let plain = try Subprocess.run("gzip", ["-dc", file]).requireSuccess().standardOutput
        #expect(try Array(plain) == Self.content.read(0..<100_000))
    }

    @Test("a pattern is a function of the offset, whatever the pieces, up to terabytes")
    func pattern() throws {
        let whole = try Self.content.read(0..<100_000)
        for start in stride(from: 0, to: 99_000, by: 7919) {
            let piece = try Self.content.read(Int64(start)..<Int64(start) + 997)
            #expect(piece == Array(whole[start..<start + 997]))
        }
        let other = try OriginContent.synthetic(length: 10, seed: 2).read(0..<10)
        #expect(other != Array(whole[..<10]))
        let origin = try TestOrigin()
        origin.serve("/huge", OriginObject(.synthetic(length: 10 << 40)))
        let answer = try origin.ask("/huge", ["Range: bytes=-5"])
        let field = "bytes 10995116277755-10995116277759/10995116277760"
        #expect(answer.fields["Content-Range"] == field)
    }
}
