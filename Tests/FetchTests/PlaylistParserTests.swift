@testable import TakeupFetch
import Testing

@Suite("Playlist parser")
struct PlaylistParserTests {
    @Test("reads a finished stream")
    func plain() throws {
        let media = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:10
            #EXT-X-MEDIA-SEQUENCE:7
            # a comment
            #EXTINF:9.009,the first
            first.ts

            #EXTINF:9,
            second.ts?a=1#b
            #EXT-X-DISCONTINUITY
            #EXTINF:3.003
            https://other.example/third.ts
            #EXT-X-ENDLIST
            """)
        #expect(media.targetSeconds == 10)
        #expect(media.segments.map(\.uri).first == "first.ts")
        #expect(media.segments.map(\.uri).last == "https://other.example/third.ts")
        #expect(media.segments.map(\.sequence) == [7, 8, 9])
        #expect(media.segments.map(\.isDiscontinuity) == [false, false, true])
        #expect(abs(media.seconds - 21.012) < 0.000_001)
        #expect(media.segments.allSatisfy { $0.key == nil && $0.map == nil && $0.bytes == nil })
    }

    @Test("reads the same with a byte order mark, CR LF and no last line end")
    func lineEnds() throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST"
        let plain = try PlaylistParser().parse(text.utf8)
        let windows = text.replacing("\n", with: "\r\n") + "\r\n"
        #expect(try PlaylistParser().parse([0xEF, 0xBB, 0xBF] + Array(windows.utf8)) == plain)
    }

    @Test("places ranges of bytes, told or following")
    func byteRanges() throws {
        let media = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MAP:URI="all.mp4",BYTERANGE="800@0"
            #EXTINF:4,
            #EXT-X-BYTERANGE:1000@800
            all.mp4
            #EXT-X-BYTERANGE:500
            #EXTINF:4,
            all.mp4
            #EXTINF:4,
            other.mp4
            #EXT-X-ENDLIST
            """)
        #expect(media.segments.map(\.bytes) == [800..<1800, 1800..<2300, nil])
        let map = MediaPlaylist.Map(uri: "all.mp4", bytes: 0..<800, key: nil)
        #expect(media.segments.allSatisfy { $0.map == map })
    }

    @Test("knows each segment's key and vector")
    func keys() throws {
        let media = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:258
            #EXT-X-KEY:METHOD=AES-128,URI="k1?a,b=c"
            #EXTINF:4,
            a.ts
            #EXT-X-KEY:METHOD=AES-128,URI="k2",IV=0xABC,KEYFORMAT="identity"
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:4,
            b.ts
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:4,
            c.ts
            #EXT-X-ENDLIST
            """)
        let zeros = Array(repeating: UInt8(0), count: 14)
        #expect(media.segments.map { $0.key?.uri } == ["k1?a,b=c", "k2", nil])
        #expect(media.segments[0].initializationVector == zeros + [1, 2])
        #expect(media.segments[1].initializationVector == zeros + [0x0A, 0xBC])
        #expect(media.segments[2].initializationVector == nil)
        #expect(media.segments[1].map?.key?.uri == "k2")
    }

    @Test("reads variants and renditions")
    func master() throws {
        let text = """
            #EXTM3U
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO, GROUP-ID="aac", NAME="Deutsch", LANGUAGE="de"
            #EXT-X-MEDIA:TYPE=SMELL,GROUP-ID="x",NAME="y"
            #EXT-X-STREAM-INF:BANDWIDTH=1280000,RESOLUTION=640x360,CODECS="avc1.4d401e, mp4a.40.2",AUDIO="aac",X-OWN=1.5
            low.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=86000,URI="low/iframe.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=65000,CODECS="mp4a.40.5"
            sound.m3u8
            """
        guard case .master(let master) = try PlaylistParser().parse(text.utf8) else {
            Issue.record("not a master playlist")
            return
        }
        #expect(master.variants.map(\.uri) == ["low.m3u8", "sound.m3u8"])
        let low = try #require(master.variants.first)
        #expect(low.bandwidth == 1_280_000 && low.width == 640 && low.height == 360)
        #expect(low.codecs == ["avc1.4d401e", "mp4a.40.2"] && low.audioGroup == "aac")
        #expect(master.variants.map(\.isSoundAlone) == [false, true])
        #expect(master.renditions.map(\.language) == ["en", "de"])
        #expect(master.renditions.map(\.uri) == ["en.m3u8", nil])
        #expect(master.renditions.map(\.isDefault) == [true, false])
    }

    @Test("splits at bytes, not at what they look like with the accent behind them")
    func accents() throws {
        let media = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MAP:URI="\u{301}i"
            #EXTINF:4,\u{301}title
            a.ts
            #EXT-X-ENDLIST
            """)
        #expect(media.segments.first?.map?.uri == "\u{301}i")
        #expect(throws: PlaylistError.nestedPlaylist(line: 3)) {
            try PlaylistParser().parse("#EXTM3U\n#EXTINF:4,\na.m3u8?\u{301}".utf8)
        }
    }

    @Test("keeps every limit")
    func limits() {
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na\n#EXTINF:4,\nb\n#EXT-X-ENDLIST"
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb"
        let rows: [(PlaylistLimits, String, String)] = [
            (PlaylistLimits(bytes: 20), media, "20 bytes"),
            (PlaylistLimits(lines: 6), media, "6 lines"),
            (PlaylistLimits(lineBytes: 20), media, "20 bytes in a line"),
            (PlaylistLimits(segments: 1), media, "1 segments"),
            (PlaylistLimits(variants: 1), master, "1 variants"),
        ]
        for (limits, text, words) in rows {
            #expect(throws: PlaylistError.tooLarge(words)) {
                try PlaylistParser(limits: limits).parse(text.utf8)
            }
        }
        let exact = PlaylistLimits(bytes: media.utf8.count, lines: 7, lineBytes: 24, segments: 2)
        #expect(throws: Never.self) { try PlaylistParser(limits: exact).parse(media.utf8) }
    }

    private func media(_ text: String) throws -> MediaPlaylist {
        guard case .media(let media) = try PlaylistParser().parse(text.utf8) else {
            throw PlaylistError.empty
        }
        return media
    }
}
