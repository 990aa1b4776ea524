import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and variants of a playlist")
struct PlaylistVariantTests {
    private static let small = PictureLimit(maxWidth: 640, maxHeight: 360, turns: true)
    private static let large = PictureLimit(maxWidth: 1920, maxHeight: 1080, turns: true)

    private func content(_ height: Int) -> OriginContent {
        LoaderTrial.content(100_000, seed: UInt64(height))
    }

    private func list(_ lines: [String]) -> OriginObject {
        OriginObject(
            .bytes(Array((["#EXTM3U"] + lines).joined(separator: "\n").utf8)),
            type: "application/vnd.apple.mpegurl", tag: .absent, lastModified: nil)
    }

    /// A master playlist with four sizes; those below `separate` have their sound inside.
    private func serve(_ origin: TestOrigin, _ path: String, separate: Int = .max) {
        var master = [
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",DEFAULT=YES,URI=\"a.m3u8\""
        ]
        for height in [360, 720, 1080, 2160] {
            let group = height >= separate ? ",AUDIO=\"a\"" : ""
            master += [
                "#EXT-X-STREAM-INF:BANDWIDTH=\(height),RESOLUTION=\(height * 16 / 9)x\(height)"
                    + group, "v\(height).m3u8",
            ]
            origin.serve(
                "/v\(height).m3u8",
                list(["#EXT-X-TARGETDURATION:4", "#EXTINF:4,", "\(height).ts", "#EXT-X-ENDLIST"]))
            origin.serve("/\(height).ts", OriginObject(content(height)))
        }
        origin.serve(path, list(master))
    }

    @Test(
        "the one that fills the size is taken, else the largest",
        arguments: [
            (640, 360, 360), (360, 640, 360), (1280, 720, 720), (1920, 1080, 1080),
            (3840, 2160, 2160), (nil, nil, 2160), (7680, 4320, 2160), (nil, 700, 720),
        ] as [(Int?, Int?, Int)])
    func fits(width: Int?, height: Int?, chosen: Int) throws {
        let trial = try LoaderTrial()
        serve(trial.origin, "/m.m3u8")
        let limit = PictureLimit(maxWidth: width, maxHeight: height, turns: true)
        let loader = try trial.library.open(
            WantedSource(trial.origin.url("/m.m3u8"), within: limit))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content(chosen)))
    }

    @Test("two sizes of one address do not mix, now and later, in one process and in two")
    func apart() throws {
        let trial = try LoaderTrial()
        serve(trial.origin, "/m.m3u8")
        let address = trial.origin.url("/m.m3u8")
        for library in [trial.library, try trial.another()] {
            let loaders = try [Self.small, Self.large, PictureLimit()].map {
                try library.open(WantedSource(address, within: $0))
            }
            #expect(Set(loaders.map(\.key)).count == 3)
            #expect(loaders[2].key == (SourceKey(address: address)))
            for (loader, height) in zip(loaders, [360, 1080, 2160]) {
                #expect(try loader.reader().everything() == LoaderTrial.bytes(content(height)))
                #expect(loader.log.versionChanges == 0)
            }
        }
        for height in [360, 1080, 2160] {
            #expect(trial.origin.bytesServed("/\(height).ts") <= 100_010)
        }
        #expect(trial.origin.requestCount("/720.ts") == 0)
    }

    @Test("what is no playlist by its name is one source for all sizes, and fetched once")
    func plain() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", OriginObject(content(1)))
        serve(trial.origin, "/master")
        for (path, name, bytes) in [("/a.mp4", "/a.mp4", 1), ("/master", "/2160.ts", 2160)] {
            let loaders = try [Self.small, Self.large, PictureLimit()].map {
                try trial.library.open(WantedSource(trial.origin.url(path), within: $0))
            }
            #expect(Set(loaders.map(\.key)).count == 1)
            for loader in loaders {
                #expect(try loader.reader().everything() == LoaderTrial.bytes(content(bytes)))
            }
            #expect(trial.origin.bytesServed(name) <= 100_010)
        }
    }

    @Test("a playlist of one size is one source for all limits, and fetched once")
    func oneSize() throws {
        let trial = try LoaderTrial()
        serve(trial.origin, "/m.m3u8")
        let address = trial.origin.url("/v720.m3u8")
        let key = SourceKey(address: address)
        for library in [trial.library, try trial.another()] {
            for limit in [Self.small, PictureLimit(), Self.large] {
                let loader = try library.open(WantedSource(address, within: limit))
                #expect(loader.key == key)
                #expect(try loader.reader().everything() == LoaderTrial.bytes(content(720)))
            }
        }
        #expect(trial.origin.bytesServed("/720.ts") <= 100_010)
        // What a limit alone had begun is gone again, once its lane lets go.
        let store = trial.library.store
        #expect(
            trial.origin.wait { _ in
                (try? store.evict(SourceLimits())) != nil
                    && (try? store.list().map(\.key)) == [key]
            })
    }

    @Test("a playlist of one size is fetched ahead as the one source that it is")
    func oneSizeAhead() throws {
        let trial = try LoaderTrial()
        serve(trial.origin, "/m.m3u8")
        let source = WantedSource(trial.origin.url("/v720.m3u8"), within: Self.small)
        let end = try trial.library.prefetch(source, within: SourceLimits()) { false }
        #expect(end == .complete)
        let loader = try trial.library.open(source)
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content(720)))
        #expect(trial.origin.bytesServed("/720.ts") <= 100_010)
    }

    @Test("one whose sound is apart makes way for one that holds its own, or is refused")
    func sound() throws {
        let trial = try LoaderTrial()
        serve(trial.origin, "/m.m3u8", separate: 1080)
        let wanted: [(PictureLimit, Int?)] = [
            (Self.small, 360), (Self.large, nil), (PictureLimit(), nil),
        ]
        for (limit, height) in wanted {
            let loader = try trial.library.loader(
                WantedSource(trial.origin.url("/m.m3u8"), within: limit))
            if let height {
                #expect(try loader.reader().everything() == LoaderTrial.bytes(content(height)))
            } else {
                let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
                #expect(error?.name == "unsupported")
            }
        }
        serve(trial.origin, "/m.m3u8", separate: 2160)
        let text = trial.origin.url("/m.m3u8?2")
        let loader = try trial.library.open(WantedSource(text, within: Self.large))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content(1080)))
    }
}
