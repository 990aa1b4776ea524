import TakeupFetch
import Testing

@Suite("Playlist refusals")
struct PlaylistRefusalTests {
    @Test(
        "does not take for a playlist what does not begin as one",
        arguments: [
            "", "\n#EXTM3U", "#EXTM3U8", "<html>", "#EXTINF:4,\na.ts", "ffconcat version 1.0",
        ])
    func notAPlaylist(text: String) {
        #expect(throws: PlaylistError.notAPlaylist) { try PlaylistParser().parse(text.utf8) }
    }

    /// Lines behind a valid beginning (lines 1 and 2), and what is thrown.
    static let rows: [(String, PlaylistError)] = [
        ("#EXTINF:4,\na.ts", .live),
        ("#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:4,\na.ts", .live),
        ("#EXT-X-ENDLIST", .empty),
        ("a.ts\n#EXT-X-ENDLIST", .malformed(line: 3, "an address without EXTINF")),
        ("#EXTINF:4,\n#EXT-X-ENDLIST", .malformed(line: 4, "no address of the last segment")),
        ("#EXTINF:4,\nsub/A.M3U8?x=1", .nestedPlaylist(line: 4)),
        ("#EXTINF:4,\na.m3u", .nestedPlaylist(line: 4)),
        ("#EXT-X-MAP:URI=\"a.m3u8\"", .nestedPlaylist(line: 3)),
        ("#EXTINF:-4,\na.ts", .malformed(line: 3, "EXTINF: no duration of at most a day")),
        ("#EXTINF:inf,\na.ts", .malformed(line: 3, "EXTINF: no duration of at most a day")),
        ("#EXTINF:1e3,\na.ts", .malformed(line: 3, "EXTINF: no duration of at most a day")),
        ("#EXTINF:86401,\na.ts", .malformed(line: 3, "EXTINF: no duration of at most a day")),
        ("#EXTINF:,\na.ts", .malformed(line: 3, "EXTINF: no duration of at most a day")),
        (
            "#EXTINF:4,\n#EXT-X-BYTERANGE:5\na.ts",
            .malformed(line: 4, "a range that follows none")
        ),
        ("#EXT-X-BYTERANGE:0@5", .malformed(line: 3, "no range of bytes")),
        ("#EXT-X-BYTERANGE:5@-1", .malformed(line: 3, "no range of bytes")),
        ("#EXT-X-BYTERANGE:1@2@3", .malformed(line: 3, "no range of bytes")),
        (
            "#EXTINF:4,\n#EXT-X-BYTERANGE:9223372036854775807@1\na.ts",
            .malformed(line: 4, "a range beyond all bytes")
        ),
        (
            "#EXTINF:4,\n#EXT-X-BYTERANGE:5@0\na.ts\n#EXTINF:4,\n#EXT-X-BYTERANGE:5\nb.ts",
            .malformed(line: 7, "a range that follows none")
        ),
        ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"", .protected(line: 3, method: "SAMPLE-AES")),
        ("#EXT-X-KEY:METHOD=SAMPLE-AES-CTR", .protected(line: 3, method: "SAMPLE-AES-CTR")),
        (
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
            .protected(line: 3, method: "com.apple.streamingkeydelivery")
        ),
        ("#EXT-X-KEY:URI=\"k\"", .malformed(line: 3, "EXT-X-KEY: no METHOD")),
        ("#EXT-X-KEY:METHOD=AES-128", .malformed(line: 3, "no URI")),
        (
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12",
            .malformed(line: 3, "IV is no hexadecimal number of 16 bytes")
        ),
        (
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x123456789012345678901234567890123",
            .malformed(line: 3, "IV is no hexadecimal number of 16 bytes")
        ),
        (
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-MAP:URI=\"i\"",
            .malformed(line: 4, "EXT-X-MAP: an encrypted map needs a key with an IV")
        ),
        ("#EXT-X-MAP:BYTERANGE=\"1@0\"", .malformed(line: 3, "no URI")),
        ("#EXT-X-MAP:URI=i", .malformed(line: 3, "URI without quotes")),
        ("#EXT-X-MAP:URI=\"i", .malformed(line: 3, "a quote is not closed")),
        ("#EXT-X-MAP:URI=\"i\"x", .malformed(line: 3, "no comma after a value")),
        ("#EXT-X-MAP:URI=\"i\",URI=\"j\"", .malformed(line: 3, "URI twice")),
        ("#EXT-X-MAP:uri=\"i\"", .malformed(line: 3, "not the name of an attribute")),
        ("#EXT-X-MAP:URI", .malformed(line: 3, "name without a value")),
        ("#EXT-X-VERSION:14", .unsupported(line: 3, "version 14")),
        ("#EXT-X-VERSION:x", .malformed(line: 3, "EXT-X-VERSION: no whole number")),
        ("#EXT-X-DEFINE:NAME=\"a\"", .unsupported(line: 3, "variables (EXT-X-DEFINE)")),
        ("#EXT-X-I-FRAMES-ONLY", .unsupported(line: 3, "EXT-X-I-FRAMES-ONLY")),
        ("#EXT-X-GAP", .unsupported(line: 3, "EXT-X-GAP")),
        ("#EXT-X-TARGETDURATION:5", .malformed(line: 3, "EXT-X-TARGETDURATION: twice")),
        ("#EXTM3U", .malformed(line: 3, "EXTM3U: twice")),
        (
            "#EXTINF:4,\na.ts\n#EXT-X-MEDIA-SEQUENCE:1",
            .malformed(line: 5, "EXT-X-MEDIA-SEQUENCE: too late")
        ),
        (
            "#EXT-X-STREAM-INF:BANDWIDTH=1",
            .malformed(line: 3, "tags of a master and of a media playlist")
        ),
        ("#EXTINF:4,\na\u{0}.ts", .malformed(line: 4, "no text in UTF-8")),
    ]

    @Test("names the line and the fault of a media playlist", arguments: rows)
    func media(text: String, error: PlaylistError) {
        #expect(throws: error) {
            try PlaylistParser().parse("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(text)".utf8)
        }
    }

    @Test(
        "names the line and the fault of a master playlist",
        arguments: [
            (
                "#EXT-X-STREAM-INF:RESOLUTION=1x1",
                .malformed(line: 2, "EXT-X-STREAM-INF: no BANDWIDTH")
            ),
            ("#EXT-X-STREAM-INF:BANDWIDTH=-1", .malformed(line: 2, "BANDWIDTH is no number")),
            (
                "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x0",
                .malformed(line: 2, "RESOLUTION is no size")
            ),
            (
                "#EXT-X-STREAM-INF:BANDWIDTH=1",
                .malformed(line: 2, "EXT-X-STREAM-INF: no address follows")
            ),
            (
                "#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXT-X-STREAM-INF:BANDWIDTH=1\na",
                .malformed(line: 2, "EXT-X-STREAM-INF: no address follows")
            ),
            (
                "#EXT-X-SESSION-DATA:DATA-ID=\"a\"\na.m3u8",
                .malformed(line: 3, "an address without EXT-X-STREAM-INF")
            ),
            ("#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"a\"", .malformed(line: 2, "no GROUP-ID")),
            (
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",DEFAULT=yes",
                .malformed(line: 2, "DEFAULT is neither YES nor NO")
            ),
            ("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\"", .empty),
            ("a.mp4", .empty),
        ] as [(String, PlaylistError)])
    func master(text: String, error: PlaylistError) {
        #expect(throws: error) { try PlaylistParser().parse("#EXTM3U\n\(text)".utf8) }
    }

    @Test("survives every way of cutting and spoiling a playlist")
    func spoiled() {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
            #EXT-X-MAP:URI="i",BYTERANGE="1@0"
            #EXT-X-BYTERANGE:5@6
            #EXTINF:4,é
            a
            #EXT-X-ENDLIST
            """
        let bytes = Array(text.utf8)
        for index in bytes.indices {
            _ = try? PlaylistParser().parse(bytes[..<index])
            for other in [0, 9, 10, 13, 34, 44, 45, 58, 61, 64, 0x80, 0xFF] as [UInt8] {
                var spoiled = bytes
                spoiled[index] = other
                _ = try? PlaylistParser().parse(spoiled)
            }
        }
    }
}
