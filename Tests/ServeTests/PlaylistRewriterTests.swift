import Foundation
import TakeupCurl
import Testing

@testable import TakeupServe

@Suite("Playlist rewriter")
struct PlaylistRewriterTests {
    private static let base = "https://a.example/live/v/list.m3u8?token=t%2B1&q=x"

    /// Replaces each address by its kind and itself, in parentheses.
    private func rewrite(
        _ text: String, base: String = PlaylistRewriterTests.base,
        limits: PlaylistRewriter.Limits = .init()
    ) throws -> String {
        let rewritten = try PlaylistRewriter.rewrite(
            Array(text.utf8), from: WebAddress(base), limits: limits
        ) { "(\($1) \($0))" }
        return String(decoding: rewritten.bytes, as: UTF8.self)
    }

    private func line(_ line: String, base: String = PlaylistRewriterTests.base) throws -> String {
        let text = try rewrite("#EXTM3U\n\(line)\n", base: base)
        return String(text.dropFirst("#EXTM3U\n".count).dropLast())
    }

    private static let folder = "https://a.example/live/v"

    @Test(
        "each tag that names an address names another one, and keeps the rest of its line",
        arguments: [
            (
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a,URI=\",URI=\"s/a.m3u8\",NAME=\"x\"",
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a,URI=\",URI=\"(playlist \(folder)/s/a.m3u8)\",NAME=\"x\""
            ),
            (
                "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"700@0\"",
                "#EXT-X-MAP:URI=\"(segment \(folder)/init.mp4)\",BYTERANGE=\"700@0\""
            ),
            (
                "#EXT-X-KEY:METHOD=AES-128,URI=\"../k?id=1&a=2\",IV=0x01",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"(key https://a.example/live/k?id=1&a=2)\",IV=0x01"
            ),
            (
                "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"/k\"",
                "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"(key https://a.example/k)\""
            ),
            (
                "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"",
                "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"(playlist \(folder)/i.m3u8)\""
            ),
            (
                "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=\"//b.example/i.m3u8\"",
                "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=\"(playlist https://b.example/i.m3u8)\""
            ),
            (
                "#EXT-X-PART:DURATION=0.3,URI=\"p1.mp4\",INDEPENDENT=YES",
                "#EXT-X-PART:DURATION=0.3,URI=\"(segment \(folder)/p1.mp4)\",INDEPENDENT=YES"
            ),
            (
                "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p2.mp4\",BYTERANGE-START=5",
                "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"(segment \(folder)/p2.mp4)\",BYTERANGE-START=5"
            ),
            (
                "#EXT-X-RENDITION-REPORT:URI=\"../w/list.m3u8\",LAST-MSN=4",
                "#EXT-X-RENDITION-REPORT:URI=\"(playlist https://a.example/live/w/list.m3u8)\",LAST-MSN=4"
            ),
            (
                "#EXT-X-SESSION-DATA:DATA-ID=\"d\",URI=\"d.json\"",
                "#EXT-X-SESSION-DATA:DATA-ID=\"d\",URI=\"(data \(folder)/d.json)\""
            ),
            (
                "#EXT-X-CONTENT-STEERING:SERVER-URI=\"/s?a=1\",PATHWAY-ID=\"p\"",
                "#EXT-X-CONTENT-STEERING:SERVER-URI=\"(data https://a.example/s?a=1)\",PATHWAY-ID=\"p\""
            ),
            (
                "#EXT-X-DATERANGE:ID=\"i\",X-ASSET-URI=\"https://ads.example/m.m3u8\",X-ASSET-LIST=\"l\"",
                "#EXT-X-DATERANGE:ID=\"i\",X-ASSET-URI=\"(playlist https://ads.example/m.m3u8)\",X-ASSET-LIST=\"(data \(folder)/l)\""
            ),
        ])
    func tags(line text: String, expected: String) throws { #expect(try line(text) == expected) }

    @Test(
        "an address is resolved as RFC 3986 says",
        arguments: [
            ("seg.ts", "\(folder)/seg.ts"), ("./seg.ts", "\(folder)/seg.ts"),
            ("../seg.ts", "https://a.example/live/seg.ts"), ("/seg.ts", "https://a.example/seg.ts"),
            ("/a/../seg.ts", "https://a.example/seg.ts"),
            ("../../../seg.ts", "https://a.example/seg.ts"),
            ("//b.example/seg.ts", "https://b.example/seg.ts"),
            ("http://b.example:81/x?y", "http://b.example:81/x?y"),
            ("HTTPS://A.EXAMPLE/x", "https://a.example/x"),
            ("?n=2", "\(folder)/list.m3u8?n=2"), ("a b.ts", "\(folder)/a%20b.ts"),
            ("ä.ts", "\(folder)/%C3%A4.ts"), ("a.ts#part", "\(folder)/a.ts"),
            ("a//b.ts", "\(folder)/a//b.ts"), ("sub/..", "\(folder)/"),
            ("a.ts?u=http://b/../c", "\(folder)/a.ts?u=http://b/../c"),
            ("  a.ts\t", "\(folder)/a.ts"),
        ])
    func resolution(reference: String, expected: String) throws {
        #expect(try line(reference) == "(segment \(expected))")
        #expect(try WebAddress(Self.base).resolving(reference.trimmed).text == expected)
    }

    @Test(
        "what is no http address stays",
        arguments: [
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://key/1\"",
            "#EXT-X-KEY:METHOD=AES-128,URI=\"data:text/plain;base64,AAAA\"",
            "#EXT-X-KEY:METHOD=NONE",
            "#EXT-X-MAP:URI=\"unclosed", "#EXT-X-MAP:URI=plain.mp4", "#EXT-X-MAP", "#EXT-X-MAP:",
            "#EXT-X-MAP:URI=\"\"", "ftp://a/b", "http://user:secret@b/x", "http:", "https://",
            "#comment https://a.example/x", "#EXT-X-UNKNOWN:URI=\"a.ts\"", "#EXT-X-MAPS:URI=\"a\"",
            "#EXTINF:4,a title, with URI=\"x\"", "", "   ",
        ])
    func untouched(text: String) throws { #expect(try line(text) == text) }

    @Test("line ends, the mark at the beginning and a missing last line end stay")
    func bytes() throws {
        let text =
            "\u{FEFF}#EXTM3U\r\n#EXTINF:4,\r\na.ts\r\n\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\n#c\r\nb"
        #expect(
            try rewrite(text)
                == "\u{FEFF}#EXTM3U\r\n#EXTINF:4,\r\n(segment \(Self.folder)/a.ts)\r\n\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\n#c\r\n(playlist \(Self.folder)/b)"
        )
    }

    @Test("variables are put in; one of the playlist's own query becomes a plain one")
    func variables() throws {
        let text = """
            #EXTM3U
            #EXT-X-DEFINE:NAME="host",VALUE="https://c.example"
            #EXT-X-DEFINE:QUERYPARAM="token"
            #EXT-X-DEFINE:QUERYPARAM="absent"
            #EXT-X-DEFINE:IMPORT="later"
            {$host}/a.ts?t={$token}
            #EXT-X-MAP:URI="{$host}/i.mp4"
            {$later}/b.ts
            {$host
            {x}.ts
            """
        #expect(
            try rewrite(text) == """
                #EXTM3U
                #EXT-X-DEFINE:NAME="host",VALUE="https://c.example"
                #EXT-X-DEFINE:NAME="token",VALUE="t+1"
                #EXT-X-DEFINE:QUERYPARAM="absent"
                #EXT-X-DEFINE:IMPORT="later"
                (segment https://c.example/a.ts?t=t+1)
                #EXT-X-MAP:URI="(segment https://c.example/i.mp4)"
                {$later}/b.ts
                (segment \(Self.folder)/{$host)
                (segment \(Self.folder)/{x}.ts)
                """)
    }

    @Test("a playlist tells whether it goes on, and how long its segments are")
    func kinds() throws {
        func facts(_ lines: String) throws -> PlaylistRewriter.Rewritten {
            try PlaylistRewriter.rewrite(
                Array("#EXTM3U\n\(lines)".utf8), from: WebAddress(Self.base)
            ) { url, _ in url }
        }
        let live = try facts("#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n")
        #expect(live.isLive && live.targetSeconds == 6)
        #expect(try !facts("#EXTINF:6,\na.ts\n#EXT-X-ENDLIST").isLive)
        #expect(try !facts("#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8").isLive)
    }

    @Test(
        "what is no playlist is none",
        arguments: ["", "<html>", "#EXTM3U8\na", " #EXTM3U\n", "\u{FEFF}", "#EXTINF:4,\na.ts"])
    func noPlaylist(text: String) {
        #expect(throws: PlaylistRewriter.Fault.notPlaylist) { try rewrite(text) }
    }

    @Test("a hostile playlist is bounded: bytes, lines, addresses, and what they grow to")
    func bounds() throws {
        let large = PlaylistRewriter.Fault.tooLarge
        #expect(throws: large) {
            try rewrite("#EXTM3U\n" + String(repeating: "#", count: 8 << 20))
        }
        #expect(throws: large) {
            try rewrite("#EXTM3U\n" + String(repeating: "\n", count: 200_000))
        }
        var limits = PlaylistRewriter.Limits()
        limits.addresses = 10
        #expect(throws: large) {
            try rewrite("#EXTM3U\n" + String(repeating: "a\n", count: 11), limits: limits)
        }
        #expect(throws: large) {
            try rewrite(
                "#EXTM3U\n#EXT-X-MAP:" + String(repeating: "URI=\"a\",", count: 11), limits: limits)
        }
        limits = PlaylistRewriter.Limits()
        limits.rewrittenBytes = 100_000
        let long = String(repeating: "x", count: 30_000)
        #expect(throws: large) {
            try rewrite(
                "#EXTM3U\n" + String(repeating: "a\n", count: 10),
                base: "https://a.example/\(long)/l.m3u8", limits: limits)
        }
        #expect(throws: large) {
            let lines = String(repeating: "{$v}{$v}\n", count: 10)
            return try rewrite(
                "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(long.prefix(16_000))\"\n\(lines)",
                limits: limits)
        }
        // A value that would grow for ever stops at the length of an address.
        let endless = String(repeating: "{$v}", count: 1000)
        #expect(
            try rewrite("#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(long)\"\n\(endless)")
                .hasSuffix("\n\(endless)"))
    }

    @Test("any bytes at all end in an answer")
    func noise() throws {
        var random = SplitMix(state: 7)
        let words: [[UInt8]] =
            [
                "#EXT-X-MAP:", "URI=\"", "\"", ",", "=", "\n", "\r",
                "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"",
                "{$a}", "{", "}", "http://", "//", "..", "/", "?", "%", "%2", ":", "#",
                "QUERYPARAM=\"",
            ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3]]
        for _ in 0..<2000 {
            var text = Array("#EXTM3U\n".utf8)
            for _ in 0..<Int(random.next() % 40) {
                text += words[Int(random.next() % UInt64(words.count))]
            }
            let rewritten = try PlaylistRewriter.rewrite(text, from: WebAddress(Self.base)) {
                url, _ in url
            }
            #expect(rewritten.bytes.starts(with: Array("#EXTM3U\n".utf8)))
        }
    }

    @Test("fifty thousand segments take a time that grows with them alone")
    func speed() throws {
        let key = ProxyKey(bytes: Array(0..<32))
        var child = ProxyAddress(url: "", headers: ["authorization"])
        func seconds(_ count: Int) throws -> Double {
            let text = "#EXTM3U\n" + (0..<count).map { "#EXTINF:4,\nsegment-\($0).ts\n" }.joined()
            let bytes = Array(text.utf8)
            let began = clock()
            let made = try PlaylistRewriter.rewrite(bytes, from: WebAddress(Self.base)) { url, _ in
                child.url = url
                return child.path(key)
            }
            #expect(made.bytes.count > bytes.count)
            return clock() - began
        }
        let few = try seconds(5000)
        #expect(try seconds(50_000) < max(few, 0.01) * 40)
    }

    /// Seconds that this thread has worked, whatever else the machine does.
    private func clock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(decoding: Array(utf8)[...].trimmed, as: UTF8.self)
    }
}
