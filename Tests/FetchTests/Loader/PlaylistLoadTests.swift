import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and playlists")
struct PlaylistLoadTests {
    private static let secret: [UInt8] = Array(0..<16)
    /// 100 bytes, by AES-128-CBC with `secret` and the vector of segment 1 (OpenSSL 3).
    private static let sealed = """
        4bd07132cb5e9a37d7860a7a721ed643856ad9d827bc7184bed92517a01dfeaf94768e4b95710064331ab9f8b3c5\
        8484c0b44e88da70a93fcb40bf7de09e2ec13b30c6894f14909bb9a4ec60c17a5760fa61ed7eac54e55897564b8d\
        f75fb7273cdea351a291f2461250929f0417633e
        """
    private static let plain: [UInt8] = (0..<100).map { UInt8(($0 * 7 + 1) % 256) }

    private func text(_ lines: [String]) -> OriginObject {
        OriginObject(
            .bytes(Array((["#EXTM3U"] + lines).joined(separator: "\n").utf8)),
            type: "application/vnd.apple.mpegurl", tag: .absent, lastModified: nil)
    }

    private func media(_ lines: [String], ends: Bool = true) -> OriginObject {
        text(
            ["#EXT-X-TARGETDURATION:4", "#EXT-X-MEDIA-SEQUENCE:1"] + lines
                + (ends ? ["#EXT-X-ENDLIST"] : []))
    }

    /// A master playlist with two sizes; the larger has a map and parts of one file.
    private func serve(_ origin: TestOrigin) throws -> [UInt8] {
        origin.serve(
            "/master.m3u8",
            text([
                "#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=320x180", "v/low.m3u8",
                "#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=1280x720", "v/high.m3u8",
            ]))
        origin.serve("/v/low.m3u8", media(["#EXTINF:4,", "low.ts"]))
        origin.serve(
            "/v/high.m3u8",
            media([
                "#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"1000@0\"",
                "#EXTINF:4,", "#EXT-X-BYTERANGE:300000@1000", "all.mp4",
                "#EXTINF:4,", "#EXT-X-BYTERANGE:200000@400000", "all.mp4",
                "#EXTINF:4,", "last.mp4",
            ]))
        let all = LoaderTrial.content(700_000)
        let last = LoaderTrial.content(150_000, seed: 2)
        origin.serve("/v/all.mp4", OriginObject(all))
        origin.serve("/v/last.mp4", OriginObject(last))
        origin.serve("/v/low.ts", OriginObject(LoaderTrial.content(5000, seed: 3)))
        return try all.read(0..<301_000) + all.read(400_000..<600_000) + last.read(0..<150_000)
    }

    @Test("a finished playlist is one growing object, of the best variant")
    func joins() throws {
        let trial = try LoaderTrial()
        let bytes = try serve(trial.origin)
        do {
            let loader = try trial.loader("/master.m3u8")
            #expect(try loader.reader().everything() == bytes)
            try loader.waitUntilComplete()
            #expect(try loader.information().length == Int64(bytes.count))
            #expect(try !loader.information().supportsRanges)
            #expect(try loader.sha256() != nil)
        }
        let requests = trial.origin.totals.requests
        let again = try trial.another().loader(for: trial.origin.url("/master.m3u8"))
        #expect(try again.reader().everything() == bytes)
        #expect(trial.origin.totals.requests == requests)
    }

    @Test("the variant is the one that fits")
    func fits() throws {
        let trial = try LoaderTrial()
        _ = try serve(trial.origin)
        let low = LoaderTrial.content(5000, seed: 3)
        let loader = try trial.library.open(
            WantedSource(
                trial.origin.url("/master.m3u8"),
                within: PictureLimit(maxWidth: 320, maxHeight: 180)))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(low))
    }

    @Test("pieces survive cuts, statuses and origins that ignore ranges")
    func survives() throws {
        let trial = try LoaderTrial()
        let bytes = try serve(trial.origin)
        trial.origin.change("/v/all.mp4") {
            $0.faults.ranges = .ignored
            $0.faults.cuts = [OriginCut(.offset(100_000), times: 1)]
        }
        trial.origin.change("/v/last.mp4") {
            $0.faults.answers = [.status(503, times: 2)]
            $0.faults.cuts = [OriginCut(.offset(70_000), times: 2)]
        }
        let reader = try trial.loader("/master.m3u8").reader()
        #expect(try reader.everything() == bytes)
    }

    @Test("a piece that fails is told; a later read goes on where it was")
    func failsAndGoesOn() throws {
        let trial = try LoaderTrial()
        let bytes = try serve(trial.origin)
        trial.origin.change("/v/last.mp4") { $0.faults.answers = [.status(404)] }
        let loader = try trial.loader("/master.m3u8")
        let reader = loader.reader()
        let error = #expect(throws: FetchError.self) { try reader.everything() }
        #expect(error == .status(404, address: trial.origin.url("/v/last.mp4")))
        trial.origin.change("/v/last.mp4") { $0.faults.answers = [] }
        #expect(try reader.everything() == bytes)
        // Its three parts once; openings, one more where the failure comes before the read, look at its first byte alone.
        let ranges = trial.origin.requests("/v/all.mp4").map(\.range)
        #expect(
            ranges.filter { $0 != "bytes=1000-1000" }
                == ["bytes=0-999", "bytes=1000-300999", "bytes=400000-599999"])
    }

    @Test("pieces with a key are opened")
    func decrypts() throws {
        let trial = try LoaderTrial()
        let digits = Array(Self.sealed.utf8)
        let sealed = stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
        }
        trial.origin.serve("/key", OriginObject(.bytes(Self.secret)))
        trial.origin.serve("/one.ts", OriginObject(.bytes(sealed)))
        trial.origin.serve(
            "/a.m3u8",
            media(["#EXT-X-KEY:METHOD=AES-128,URI=\"key\"", "#EXTINF:4,", "one.ts"]))
        #expect(try trial.loader("/a.m3u8").reader().everything() == Self.plain)
        trial.origin.serve("/key2", OriginObject(.bytes(Self.secret.reversed())))
        trial.origin.serve(
            "/b.m3u8",
            media(["#EXT-X-KEY:METHOD=AES-128,URI=\"key2\"", "#EXTINF:4,", "one.ts"]))
        let error = #expect(throws: FetchError.self) {
            try trial.loader("/b.m3u8").reader().everything()
        }
        #expect(error?.name == "invalid response")
    }

    @Test("live, protected and split playlists, and forbidden pieces, are refused")
    func refuses() throws {
        let trial = try LoaderTrial()
        let origin = trial.origin
        origin.serve("/live.m3u8", media(["#EXTINF:4,", "low.ts"], ends: false))
        origin.serve(
            "/drm.m3u8",
            media(["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://key\"", "#EXTINF:4,", "low.ts"]))
        origin.serve(
            "/sound.m3u8",
            text([
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",DEFAULT=YES,URI=\"a.m3u8\"",
                "#EXT-X-STREAM-INF:BANDWIDTH=1000,AUDIO=\"a\"", "v.m3u8",
            ]))
        origin.serve("/file.m3u8", media(["#EXTINF:4,", "file:///etc/passwd"]))
        origin.serve("/inside.m3u8", media(["#EXTINF:4,", "http://10.0.0.1/a.ts"]))
        origin.serve("/page.m3u8", media(["#EXTINF:4,", "page.ts"]))
        origin.serve(
            "/page.ts", OriginObject(.bytes(Array("<html><body>no</body></html>".utf8))))
        for (path, name) in [
            ("/live.m3u8", "unsupported"), ("/drm.m3u8", "unsupported"),
            ("/sound.m3u8", "unsupported"), ("/file.m3u8", "denied"), ("/inside.m3u8", "denied"),
            ("/page.m3u8", "not media"),
        ] {
            let loader = try trial.loader(path)
            let error = #expect(throws: FetchError.self, "\(path)") {
                try loader.waitUntilComplete()
            }
            #expect(error?.name == name, "\(path): \(String(describing: error))")
            #expect(loader.status.presentBytes == 0)
        }
    }
}
