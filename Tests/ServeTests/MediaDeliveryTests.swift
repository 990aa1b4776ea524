import Foundation
import TakeupCache
import TakeupFields
import TakeupFiles
import TakeupHTTP
import TakeupLanes
import TakeupService
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupFetch
@testable import TakeupServe

@Suite("Delivery through the proxy")
struct MediaDeliveryTests {
    @Test("0–1000 with 200–500 and 700–800 held is five parts, of which three are fetched (C2)")
    func fiveParts() throws {
        let trial = try MediaTrial()
        let (url, bytes) = try trial.object(length: 1000)
        // Held, so that the proxy goes on with the same session.
        let loader = try trial.tools.sources.loader(
            for: trial.origin.url("/a.mp4"), sending: [])
        let file = loader.session.file
        _ = try file.bind(
            SourceVersion(EntityVersion(tag: EntityTag("\"v1\""), length: 1000)))
        for range in [200..<500, 700..<800] {
            try bytes[range].withUnsafeBytes {
                try file.write($0, at: Int64(range.lowerBound), generation: file.status.generation)
            }
        }
        let plan = RangePlan(read: 0..<1000, present: file.status.present)
        #expect(
            plan.parts == [
                .origin(0..<200), .disk(200..<500), .origin(500..<700), .disk(700..<800),
                .origin(800..<1000),
            ])
        let whole = try trial.curl(url)
        #expect(whole.body == bytes)
        #expect(whole.fields["cache-status"] == "Takeup; fwd=partial; fwd-status=206; stored")
        // The first one asks whether the held bytes are still the origin's.
        let ranges = trial.origin.requests("/a.mp4").map { $0.range ?? "" }
        #expect(ranges == ["bytes=0-0", "bytes=0-199", "bytes=500-699", "bytes=800-999"])
        #expect(trial.origin.bytesServed("/a.mp4") == 600)
        let figures = trial.media.figures.value
        #expect(figures.cacheBytes == 400 && figures.originBytes == 600)
        withExtendedLifetime(loader) {}
    }

    @Test("200 seeks at random over a slow origin: the right bytes, hardly any of them twice")
    func seeks() throws {
        let trial = try MediaTrial()
        var faults = OriginFaults()
        faults.bytesPerSecond = 24_000_000
        let length = 16 << 20
        let (url, bytes) = try trial.object(length: Int64(length), faults: faults)
        let target = String(url.dropFirst(trial.base.utf8.count))
        var random = SeededRandom(state: 11)
        for _ in 0..<200 {
            let start = Int.random(in: 0..<length - 20_000, using: &random)
            let player = try MediaPlayer(trial.base)
            player.ask(target, ["Range: bytes=\(start)-"])
            // Leaves in the middle of the response, as players do.
            let got = player.body(atLeast: 15_000)
            #expect(got.elementsEqual(bytes[start...].prefix(got.count)))
            #expect(got.count >= 15_000)
        }
        #expect(try trial.curl(url).body == bytes)
        let logs = trial.endedLogs()
        let fetched = logs.reduce(0) { $0 + $1.originBytes }
        #expect(logs.count == 1 && Double(fetched) <= 1.02 * Double(length), "\(fetched)")
    }

    @Test("fifty readers at once cost the origin one object, and get each byte (C4)")
    func coalesced() throws {
        let trial = try MediaTrial()
        let (url, bytes) = try trial.object(length: 8_000_000)
        let target = String(url.dropFirst(trial.base.utf8.count))
        let (right, group) = (Locked(0), LaneGroup())
        let base = trial.base
        for _ in 0..<50 {
            group.start("reader") {
                guard let player = try? MediaPlayer(base) else { return }
                player.ask(target)
                guard player.body() == bytes else { return }
                right.withLock { $0 += 1 }
            }
        }
        group.wait()
        #expect(right.withLock { $0 } == 50)
        #expect(trial.origin.bytesServed("/a.mp4") == 8_000_000)
        #expect(trial.origin.totals.peakRequests == 1)
        let figures = trial.media.figures.value
        #expect(figures.cacheBytes + figures.originBytes == 400_000_000)
        var metrics = Metrics()
        trial.media.figures.add(to: &metrics)
        let text = MetricsText(metrics).description
        #expect(text.contains("takeup_origin_received_bytes_total 8000000\n"))
        #expect(!text.contains("a.mp4") && !text.contains("127.0.0.1"))
    }

    @Test("a client that leaves stops the fetch")
    func leaves() throws {
        let trial = try MediaTrial()
        var faults = OriginFaults()
        faults.bytesPerSecond = 4_000_000
        let (url, _) = try trial.object(length: 64 << 20, faults: faults)
        do {
            let player = try MediaPlayer(trial.base)
            player.ask(String(url.dropFirst(trial.base.utf8.count)))
            #expect(player.body(atLeast: 1_000_000).count >= 1_000_000)
        }
        #expect(trial.origin.wait(seconds: 30) { $0.totals.openRequests == 0 })
        #expect(trial.origin.bytesServed("/a.mp4") < 32 << 20)
    }

    @Test("an object larger than the cache passes through, and nothing of it stays")
    func passesThrough() throws {
        let trial = try MediaTrial { $0.keptBytes = 1_000_000 }
        let (url, bytes) = try trial.object(length: 20_000_000)
        let reply = try trial.curl(url)
        #expect(reply.exitCode == 0 && reply.body == bytes)
        #expect(reply.fields["cache-status"] == "Takeup; fwd=miss; fwd-status=206")
        #expect(trial.origin.requestCount("/a.mp4") == 2)
        #expect(try trial.tools.sources.store.list().allSatisfy { $0.presentBytes == 0 })
        let part = try trial.range(url, 10_000_000..<10_000_100)
        #expect(part.status == 206 && part.body == Array(bytes[10_000_000..<10_000_100]))
    }

    @Test("an origin that breaks off for good breaks the response off; a later one goes on")
    func breaksOff() throws {
        let trial = try MediaTrial()
        let content = OriginContent.synthetic(length: 3_000_000)
        let bytes = try content.read(0..<3_000_000)
        var object = OriginObject(content)
        object.faults.cuts = [OriginCut(.offset(1_500_000), by: .reset)]
        var dead = object
        dead.faults.answers = [.hangUp(.reset)]
        object.successions = [OriginSuccession(after: .bytes(1_500_000), to: dead)]
        trial.origin.serve("/a.mp4", object)
        let url = try trial.proxied(trial.origin.url("/a.mp4"))
        let broken = try trial.curl(url)
        // 18: curl got fewer bytes than were promised; 56: the connection was reset.
        #expect(broken.status == 200 && [18, 56].contains(broken.exitCode))
        #expect(broken.body.count <= 1_500_000)
        #expect(broken.body.elementsEqual(bytes.prefix(broken.body.count)))
        trial.origin.change("/a.mp4") { $0.faults = OriginFaults() }
        #expect(try trial.curl(url).body == bytes)
        #expect(trial.endedLogs().reduce(0) { $0 + $1.discardedBytes } == 0)
    }

    @Test("a redirect to a refused network is refused, and says nothing of its secrets")
    func redirect() throws {
        let trial = try MediaTrial()
        var faults = OriginFaults()
        faults.redirect = OriginRedirect(.verbatim("http://10.0.0.1/x?token=geheim"))
        let (url, _) = try trial.object(length: 1000, faults: faults)
        let reply = try trial.curl(url)
        #expect(reply.status == 403 && reply.code == "addressDenied")
        #expect(!reply.text.contains("geheim"))
    }

    @Test("a result stays while somebody reads it")
    func removed() throws {
        let trial = try MediaTrial()
        let bytes = [UInt8](repeating: 7, count: 16_000_000)
        try trial.result(bytes, as: "film")
        let cache = trial.tools.cache
        let player = try MediaPlayer(trial.base, roomBytes: 4096)
        player.ask("/media/film.mp4")
        #expect(!player.body(atLeast: 1000).isEmpty)
        #expect(try cache.remove("film") == .inUse)
        #expect(player.body() == bytes)
        // The server lets go of the file soon after the last byte.
        #expect(
            trial.origin.wait(seconds: 20) { _ in
                (try? cache.remove("film")) == .removed(bytes: 16_000_000)
            })
        #expect(try trial.curl("\(trial.base)/media/film.mp4").status == 404)
    }
}
