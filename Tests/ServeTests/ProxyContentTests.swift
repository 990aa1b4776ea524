import Foundation
import TakeupDigest
import TakeupFetch
import TestSupport
import Testing

@testable import TakeupServe

@Suite("What players read through the proxy")
struct ProxyContentTests {
    /// What playlists and manifests name beside media, and media that look like something else.
    private static let bodies: [(name: String, type: String, bytes: [UInt8])] = [
        ("s.vtt", "text/vtt", Array("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n".utf8)),
        ("s.srt", "text/plain", Array("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8)),
        ("s.ttml", "application/ttml+xml", Array("<?xml version=\"1.0\"?><tt></tt>".utf8)),
        ("a.json", "application/json", Array("{\"ASSETS\": []}".utf8)),
        ("a.mpd", "application/dash+xml", Array("<?xml version=\"1.0\"?><MPD/>".utf8)),
        ("text.key", "application/octet-stream", Array("0123456789abcdef".utf8)),
        ("tag.key", "", Array("<key".utf8) + (1...12)),
        ("gzip.ts", "video/mp2t", [0x1F, 0x8B] + [UInt8](repeating: 9, count: 2000)),
        ("bzip.ts", "video/mp2t", Array("BZh".utf8) + [UInt8](repeating: 0, count: 2000)),
    ]

    @Test(
        "subtitles, keys, documents and encrypted segments pass as they are", arguments: bodies)
    func documents(_ name: String, _ type: String, _ bytes: [UInt8]) throws {
        let trial = try MediaTrial()
        trial.origin.serve("/\(name)", OriginObject(.bytes(bytes), type: type))
        let url = try trial.proxied(trial.origin.url("/\(name)"))
        for _ in 0..<2 {
            let reply = try trial.curl(url)
            #expect(reply.status == 200 && reply.body == bytes, "\(reply.text)")
            #expect(
                reply.fields["content-type"] == (type.isEmpty ? "application/octet-stream" : type))
        }
        #expect(trial.origin.requestCount("/\(name)") == 1)
    }

    @Test("what is stored for players is no media to others")
    func others() throws {
        let trial = try MediaTrial()
        trial.origin.serve(
            "/a.json", OriginObject(.bytes(Array("{\"a\": 1}".utf8)), type: "application/json"))
        let address = trial.origin.url("/a.json")
        #expect(try trial.curl(try trial.proxied(address)).status == 200)
        let loader = try trial.tools.sources.loader(for: address)
        #expect {
            _ = try loader.information()
        } throws: { error in
            guard case .notMedia = error as? FetchError else { return false }
            return true
        }
    }

    @Test(
        "a finished playlist without a name and a type is rewritten, also beside its joined pieces")
    func playlist() throws {
        let trial = try MediaTrial()
        trial.origin.serve("/s.ts", OriginObject(.synthetic(length: 10_000), type: "video/mp2t"))
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns.ts\n#EXT-X-ENDLIST\n"
        for (name, type) in [("/list", ""), ("/play", "application/octet-stream")] {
            trial.origin.serve(name, OriginObject(.bytes(Array(text.utf8)), type: type))
            let address = trial.origin.url(name)
            let url = try trial.proxied(address)
            func isRewritten() throws -> Bool {
                let reply = try trial.curl(url)
                return reply.status == 200 && reply.text.hasPrefix("#EXTM3U")
                    && reply.text.contains("/p/")
                    && reply.fields["content-type"] == PlaylistProxy.contentType
            }
            #expect(try isRewritten())
            #expect(trial.origin.requestCount("/s.ts") == 0 || name != "/list")
            // A job joins its pieces, and they stay in the store under the same address.
            let loader = try trial.tools.sources.loader(for: address)
            try loader.waitUntilComplete()
            #expect(loader.status.totalBytes == 10_000)
            #expect(try isRewritten())
            trial.tools.sources.close()
            #expect(try isRewritten())
        }
    }

    @Test("a type that cannot be a field is not sent on")
    func controls() throws {
        let trial = try MediaTrial()
        trial.origin.serve(
            "/a.mp4", OriginObject(.synthetic(length: 1000), type: "video/\u{1}mp4"))
        let reply = try trial.curl(try trial.proxied(trial.origin.url("/a.mp4")))
        #expect(reply.status == 200)
        #expect(reply.fields["content-type"] == "application/octet-stream")
    }

    @Test(
        "an object of unknown length beyond the cache's limit is sent whole, though it cannot be asked for again",
        arguments: [OriginFaults.Framing.chunked, .untilClose])
    func unknownLength(framing: OriginFaults.Framing) throws {
        let trial = try MediaTrial { $0.keptBytes = 500_000 }
        var faults = OriginFaults()
        (faults.framing, faults.ranges, faults.acceptRanges) = (framing, .ignored, nil)
        let content = OriginContent.synthetic(length: 3_000_000)
        trial.origin.serve(
            "/a.mp4", OriginObject(content, tag: .absent, lastModified: nil, faults: faults))
        let url = try trial.proxied(trial.origin.url("/a.mp4"))
        let bytes = try content.read(0..<3_000_000)
        for _ in 0..<2 {
            let reply = try trial.curl(url)
            #expect(reply.exitCode == 0 && reply.body == bytes, "\(reply.body.count)")
        }
        // A slow reader makes the origin wait at the limit.
        let slow = try trial.curl(url, "--limit-rate", "1500k")
        #expect(slow.exitCode == 0 && slow.body == bytes, "\(slow.body.count)")
    }
}
