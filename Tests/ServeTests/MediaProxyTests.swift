import Foundation
import TakeupFetch
import TakeupHTTP
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Sources through the proxy")
struct MediaProxyTests {
    @Test("ranges have the origin's bytes, and are fetched once")
    func ranges() throws {
        let trial = try MediaTrial()
        let (url, bytes) = try trial.object(length: 1_000_000)
        for range in [0..<2, 999_000..<1_000_000, 0..<1_000_000, 4095..<4097] as [Range<Int64>] {
            let reply = try trial.range(url, range)
            #expect(reply.status == 206 && reply.fields["accept-ranges"] == "bytes")
            #expect(
                reply.fields["content-range"]
                    == "bytes \(range.lowerBound)-\(range.upperBound - 1)/1000000")
            #expect(reply.body == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
        #expect(try trial.curl(url, "-r", "-7").body == Array(bytes.suffix(7)))
        #expect(try trial.curl(url, "-r", "999993-").body == Array(bytes.suffix(7)))
        let whole = try trial.curl(url)
        #expect(whole.status == 200 && whole.body.elementsEqual(bytes))
        #expect(whole.fields["cache-status"] == "Takeup; hit" && whole.fields["age"] != nil)
        #expect(whole.fields["content-type"] == "video/mp4")
        // A sandbox would keep a browser from playing it.
        #expect(whole.fields["content-security-policy"] == nil)
        #expect(whole.fields["x-content-type-options"] == "nosniff")
        let several = try trial.curl(url, "-r", "0-9,5000-5009,-10")
        #expect(several.status == 206)
        #expect(several.fields["content-type"]?.hasPrefix("multipart/byteranges") == true)
        #expect(several.body.firstRange(of: bytes.suffix(10)) != nil)
        let beyond = try trial.curl(url, "-r", "1000000-")
        #expect(
            beyond.status == 416 && beyond.fields["content-range"] == "bytes */1000000")
        let logs = trial.endedLogs()
        #expect(logs.reduce(0) { $0 + $1.originBytes } == 1_000_000)
        #expect(logs.reduce(0) { $0 + $1.discardedBytes } == 0)
    }

    @Test("Age counts the origin's own, also in a later session")
    func age() throws {
        let trial = try MediaTrial()
        var object = OriginObject(.synthetic(length: 10_000))
        object.fields = [OriginField("Age", "5000")]
        trial.origin.serve("/a.mp4", object)
        let url = try trial.proxied(trial.origin.url("/a.mp4"))
        #expect(try trial.curl(url).fields["age"] == nil)
        for _ in 0..<2 {
            let reply = try trial.curl(url)
            let age = reply.fields["age"].flatMap(Int.init) ?? 0
            #expect((5000...5600).contains(age) && reply.fields["cache-status"] == "Takeup; hit")
            _ = trial.endedLogs()
        }
    }

    @Test("a source that nobody reads is removed, though its session waits for the next request")
    func removal() throws {
        let trial = try MediaTrial()
        let (url, bytes) = try trial.object(length: 10_000)
        let routes = SourceRoutes(trial.tools).routes
        func ask(_ method: String, _ key: String) throws -> Int {
            let route = try #require(
                routes.first { $0.method == method && $0.pattern.hasSuffix("{key}") })
            let http = HTTPRequest(method: method, target: "/v1/sources/\(key)")
            let plan = route.handle(RoutedRequest(http: http, parameters: ["key": key]))
            guard case .answer(let response) = plan else { return 0 }
            return response.status
        }
        #expect(try trial.curl(url).body == bytes)
        let key = try #require(try trial.tools.sources.store.keys(after: nil, limit: 9).first)
        // The answer's last bytes are there a moment before its reader has gone.
        var status = try ask("DELETE", "\(key)")
        let end = Date() + 10
        while status == 409, Date() < end { status = try ask("DELETE", "\(key)") }
        #expect(status == 204)
        #expect(try ask("GET", "\(key)") == 404)
        // A request fetches it again, and its reader holds it.
        #expect(try trial.curl(url).body == bytes)
        let loader = try trial.tools.sources.loader(for: trial.origin.url("/a.mp4"))
        let reader = loader.reader()
        #expect(try ask("DELETE", "\(key)") == 409)
        reader.cancel()
        #expect(trial.origin.requestCount("/a.mp4") == 2)
    }

    @Test("conditions hold; HEAD says what GET says; the cache's share is told")
    func conditions() throws {
        let trial = try MediaTrial()
        let (url, bytes) = try trial.object(length: 300_000)
        let first = try trial.range(url, 0..<10)
        #expect(first.fields["cache-status"] == "Takeup; fwd=miss; stored")
        let whole = try trial.curl(url)
        let tag = try #require(whole.fields["etag"])
        #expect(tag == first.fields["etag"] && tag.hasPrefix("\""))
        let head = try trial.curl(url, "-I")
        #expect(head.status == 200 && head.fields["content-length"] == "300000")
        for name in ["etag", "content-type", "accept-ranges", "cache-status", "last-modified"] {
            let again = try trial.curl(url)
            #expect(head.fields[name] == again.fields[name] && head.fields[name] != nil)
        }
        let known = try trial.curl(url, "-H", "If-None-Match: \(tag)", "-r", "0-9")
        #expect(known.status == 304 && known.body.isEmpty)
        #expect(try trial.curl(url, "-H", "If-Match: \"other\"").status == 412)
        let same = try trial.curl(url, "-H", "If-Range: \(tag)", "-r", "10-19")
        #expect(same.status == 206 && same.body == Array(bytes[10..<20]))
        let other = try trial.curl(url, "-H", "If-Range: \"other\"", "-r", "10-19")
        #expect(other.status == 200 && other.body.elementsEqual(bytes))
        let figures = trial.media.figures.value
        #expect(figures.count(.proxy, .miss) == 1 && figures.count(.proxy, .hit) >= 8)
        #expect(figures.count(.proxy, .error) == 0)
    }

    @Test("twenty readers at once fetch every byte once")
    func together() throws {
        let trial = try MediaTrial()
        var faults = OriginFaults()
        faults.stalls = [OriginStall(at: 100_000)]
        let (url, bytes) = try trial.object(length: 1_000_000, faults: faults)
        let names = trial.folder.file("out")
        let readers = try Subprocess(
            "curl",
            [
                "-s", "-Z", "--parallel-immediate", "--parallel-max", "20", "--max-time", "120",
                "\(url)?n=[1-20]", "-o", "\(names)#1",
            ])
        #expect(trial.origin.wait { _ in trial.server.exchangesInFlight == 20 })
        trial.origin.release("/a.mp4")
        #expect(readers.wait().exitCode == 0)
        for number in 1...20 {
            #expect(FileManager.default.contents(atPath: "\(names)\(number)") == Data(bytes))
        }
        #expect(trial.origin.totals.peakRequests == 1)
        #expect(trial.origin.bytesServed("/a.mp4") == 1_000_000)
        let figures = trial.media.figures.value
        #expect(figures.cacheBytes + figures.originBytes == 20_000_000)
    }

    @Test("a range with parts of it here asks the origin for the rest only")
    func holes() throws {
        let trial = try MediaTrial { $0.aheadBytes = 0 }
        let unit: Int64 = 10_000
        let (url, bytes) = try trial.object(length: 1000 * unit)
        for range in [200 * unit..<500 * unit, 700 * unit..<800 * unit] {
            #expect(try trial.range(url, range).status == 206)
        }
        let whole = try trial.range(url, 0..<1000 * unit)
        #expect(whole.body.elementsEqual(bytes))
        #expect(whole.fields["cache-status"] == "Takeup; fwd=partial; stored")
        let logs = trial.endedLogs()
        #expect(logs.count == 1)
        #expect(logs.reduce(0) { $0 + $1.originBytes } == 1000 * unit)
        #expect(logs.reduce(0) { $0 + $1.discardedBytes } == 0)
    }

    @Test("a hundred seeks fetch no byte twice")
    func seeks() throws {
        let trial = try MediaTrial { $0.aheadBytes = 65_536 }
        let (url, bytes) = try trial.object(length: 8_000_000)
        var random = SeededRandom(state: 7)
        for _ in 0..<100 {
            let start = Int64.random(in: 0..<7_900_000, using: &random)
            let range = start..<start + Int64.random(in: 1...100_000, using: &random)
            let reply = try trial.range(url, range)
            #expect(reply.body == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
        let logs = trial.endedLogs()
        #expect(logs.count == 1, "the session stays while a player seeks")
        #expect(logs.reduce(0) { $0 + $1.discardedBytes } == 0)
        #expect(logs.reduce(0) { $0 + $1.originBytes } <= 8_000_000)
    }

    @Test("an object that changes midway breaks the response off, and is new for the next one")
    func changed() throws {
        let trial = try MediaTrial()
        let old = OriginContent.synthetic(length: 8_000_000, seed: 1)
        let next = OriginContent.synthetic(length: 8_000_000, seed: 2)
        var object = OriginObject(old, tag: .strong("one"))
        object.faults.stalls = [OriginStall(at: 2_000_000)]
        trial.origin.serve("/a.mp4", object)
        let url = try trial.proxied(trial.origin.url("/a.mp4"))
        let (file, head) = (trial.folder.file("broken"), trial.folder.file("head"))
        let reader = try Subprocess(
            "curl", ["-s", "--max-time", "120", "-D", head, "-o", file, url])
        #expect(trial.origin.wait { $0.requests("/a.mp4").contains { $0.stalls > 0 } })
        // Of equal length and date, it would count as the same from another node.
        let newer = OriginObject(next, tag: .strong("two"), lastModified: 1_700_000_100)
        trial.origin.replace("/a.mp4", with: newer)
        trial.origin.release("/a.mp4")
        let broken = CurlReply(reader.wait(), head: head, body: file)
        // curl's codes for an end before the length, and for a reset.
        #expect(broken.status == 200 && [18, 56].contains(broken.exitCode))
        #expect(broken.body.count < 8_000_000)
        let isOld = broken.body == (try old.read(0..<Int64(broken.body.count)))
        let again = try trial.curl(url)
        let isNew = again.body == (try next.read(0..<8_000_000))
        #expect(isOld && isNew && again.exitCode == 0)
        #expect(again.fields["etag"] != broken.fields["etag"])
    }

    @Test("a slow reader does not hold up others")
    func slow() throws {
        let trial = try MediaTrial()
        let (url, bytes) = try trial.object(length: 30_000_000)
        let slow = try Subprocess(
            "curl", ["-s", "--limit-rate", "10k", "-o", trial.folder.file("slow"), url])
        #expect(trial.origin.wait { _ in trial.server.exchangesInFlight == 1 })
        for _ in 0..<3 { #expect(try trial.curl(url).body.elementsEqual(bytes)) }
        #expect(trial.server.exchangesInFlight == 1, "the slow one still reads")
        #expect(trial.origin.bytesServed("/a.mp4") == 30_000_000)
        slow.signal(SIGKILL)
        _ = slow.wait()
        #expect(trial.origin.wait { _ in trial.server.exchangesInFlight == 0 })
    }

    @Test("ffprobe reads a file with its index at the end, of an origin that ignores ranges")
    func probe() throws {
        let trial = try MediaTrial()
        let clip = try Clip.base(seconds: 2)
        var object = OriginObject(.bytes([UInt8](try clip.bytes())))
        object.faults.ranges = .ignored
        trial.origin.serve("/clip.mp4", object)
        let probe = ["-v", "error", "-show_entries", "format=duration:stream=codec_type", "-of"]
        let url = try trial.proxied(trial.origin.url("/clip.mp4"))
        let through = try Subprocess.run("ffprobe", probe + ["csv", url])
        let direct = try Subprocess.run("ffprobe", probe + ["csv", clip.path])
        #expect(through.exitCode == 0 && through.outputText == direct.outputText)
        #expect(trial.origin.requestCount("/clip.mp4") == 1)
    }

    @Test("a body without a length is passed on; one that breaks off does not look whole")
    func unknownLength() throws {
        let trial = try MediaTrial()
        var faults = OriginFaults()
        (faults.framing, faults.ranges) = (.chunked, .ignored)
        let (url, bytes) = try trial.object(length: 500_000, faults: faults)
        let reply = try trial.curl(url)
        #expect(reply.exitCode == 0 && reply.body.elementsEqual(bytes))
        faults.cuts = [OriginCut(.offset(300_000))]
        let (cut, _) = try trial.object("/cut.mp4", length: 500_000, faults: faults)
        let broken = try trial.curl(cut)
        #expect(broken.exitCode != 0 && broken.body.count < 500_000)
    }
}
