import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and signed addresses in playlists")
struct PlaylistExpiryTests {
    /// Such as a player that has paused: five pieces are here, and nothing is under way.
    private func pause(_ loader: ResourceLoader, _ stream: PieceStream) throws -> SourceReader {
        let reader = loader.reader()
        #expect(try reader.all(0..<450_000) == Array(stream.whole.prefix(450_000)))
        #expect(stream.origin.wait { _ in loader.status.phase == .idle })
        #expect(loader.status.presentBytes == 500_000)
        return reader
    }

    private func pausing(
        _ change: (inout FetchSettings) -> Void = { _ in }
    ) throws -> LoaderTrial {
        try LoaderTrial {
            $0.aheadBytes = 1
            $0.key = { $0.path }
            change(&$0)
        }
    }

    private var isOncePerPiece: [Int64] { Array(repeating: 1, count: 20) }

    @Test("pieces whose right has ended are named anew by the playlist (C8)")
    func named() throws {
        let trial = try pausing()
        let stream = try PieceStream(trial.origin, isSigned: true)
        let loader = try trial.loader("/a.m3u8")
        let reader = try pause(loader, stream)
        stream.expire()
        stream.sign()
        #expect(try reader.everything() == stream.whole)
        try loader.waitUntilComplete()
        #expect(stream.times() == isOncePerPiece)
        #expect(loader.log.versionChanges == 0)
    }

    @Test(
        "a hook brings another address, and the stream goes on with the piece it was at (C8)",
        arguments: [true, false], [401, 403, 410])
    func refreshes(isListSigned: Bool, status: Int) throws {
        let trial = try pausing()
        let (origin, calls) = (trial.origin, Locked(0))
        let stream = try PieceStream(origin, isSigned: true, isListSigned: isListSigned)
        for path in stream.paths { origin.change(path) { $0.faults.expiry?.status = status } }
        var settings = LoaderTrial.settings()
        (settings.aheadBytes, settings.key) = (1, { $0.path })
        settings.refresh = { _ in
            calls.withLock { $0 += 1 }
            stream.sign()
            return try? WebAddress(origin.signedURL(PieceStream.path))
        }
        let loader = try trial.library.loader(
            for: origin.signedURL(PieceStream.path), settings: settings)
        let reader = try pause(loader, stream)
        stream.expire()
        #expect(try reader.everything() == stream.whole)
        try loader.waitUntilComplete()
        #expect(calls.withLock { $0 } == 1)
        #expect(stream.times() == isOncePerPiece)
        #expect(Double(loader.log.originBytes) <= 1.05 * Double(stream.whole.count))
        #expect(!loader.log.url.contains("token"))
    }

    @Test("a piece whose right ends in the midst of it comes again, and no other (C8)")
    func midway() throws {
        let trial = try LoaderTrial()
        let (origin, calls) = (trial.origin, Locked(0))
        let stream = try PieceStream(origin, isSigned: true, isListSigned: true)
        origin.change("/p7.ts") { $0.faults.expiry = OriginExpiry(after: .bytes(50_000)) }
        var settings = LoaderTrial.settings()
        settings.refresh = { _ in
            calls.withLock { $0 += 1 }
            origin.change("/p7.ts") { $0.faults.expiry = OriginExpiry(after: nil) }
            stream.expire()
            stream.sign()
            return try? WebAddress(origin.signedURL(PieceStream.path))
        }
        let loader = try trial.library.loader(
            for: origin.signedURL(PieceStream.path), settings: settings)
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == stream.whole)
        #expect(calls.withLock { $0 } == 1)
        #expect(stream.times() == isOncePerPiece)
        #expect(Double(loader.log.originBytes) <= 1.05 * Double(stream.whole.count))
    }

    @Test("a key whose right has ended is named anew too, and no piece comes in vain (C8)")
    func key() throws {
        let trial = try LoaderTrial()
        let origin = trial.origin
        let vector = Array(repeating: UInt8(0), count: 16)
        let piece = try SealedPiece(LoaderTrial.content(100_000), vector: vector)
        let lines = (0..<4).flatMap { number in
            [
                "#EXT-X-KEY:METHOD=AES-128,URI=\"key\(number)\",IV=0x00", "#EXTINF:4,",
                "p\(number).ts",
            ]
        }
        for number in 0..<4 {
            origin.serve("/p\(number).ts", OriginObject(.bytes(piece.sealed)))
            origin.serve("/key\(number)", OriginObject(.bytes(SealedPiece.key)))
        }
        let text = ["#EXTM3U", "#EXT-X-TARGETDURATION:4"] + lines + ["#EXT-X-ENDLIST"]
        origin.serve("/a.m3u8", OriginObject(.bytes(Array(text.joined(separator: "\n").utf8))))
        origin.change("/key2") { $0.faults.answers = [.status(403, times: 1)] }
        let loader = try trial.loader("/a.m3u8")
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == (0..<4).flatMap { _ in piece.plain })
        #expect((1..<4).map { origin.bytesServed("/p\($0).ts") } == [100_000, 100_000, 100_000])
        #expect(origin.requestCount("/key2") == 2)
    }

    @Test("without a hook the end is told, and a new address goes on with what is here (C8)")
    func tells() throws {
        let trial = try pausing()
        let (origin, library) = (trial.origin, trial.library)
        let stream = try PieceStream(origin, isSigned: true, isListSigned: true)
        let loader = try library.loader(for: origin.signedURL(PieceStream.path))
        let reader = try pause(loader, stream)
        stream.expire()
        let error = #expect(throws: FetchError.self) { try reader.all(450_000..<600_000) }
        #expect(error == .expired(address: loader.address))
        #expect(loader.status.presentBytes == 500_000)
        stream.sign()
        _ = try library.loader(for: origin.signedURL(PieceStream.path))
        #expect(try reader.everything() == stream.whole)
        try loader.waitUntilComplete()
        #expect(stream.times() == isOncePerPiece)
    }

    @Test("an address that somebody has brought is used without a failure (C8)")
    func offered() throws {
        let trial = try pausing()
        let (origin, library) = (trial.origin, trial.library)
        let stream = try PieceStream(origin, isSigned: true, isListSigned: true)
        let loader = try library.loader(for: origin.signedURL(PieceStream.path))
        let reader = try pause(loader, stream)
        stream.expire()
        stream.sign()
        _ = try library.loader(for: origin.signedURL(PieceStream.path))
        #expect(try reader.everything() == stream.whole)
        try loader.waitUntilComplete()
        #expect(stream.times() == isOncePerPiece)
    }

    @Test("a hook that does not help is called once")
    func helpless() throws {
        let calls = Locked(0)
        let trial = try pausing {
            $0.refresh = { address in
                calls.withLock { $0 += 1 }
                return address
            }
        }
        let stream = try PieceStream(trial.origin, isSigned: true, isListSigned: true)
        let loader = try trial.library.loader(for: trial.origin.signedURL(PieceStream.path))
        let reader = try pause(loader, stream)
        stream.expire()
        let error = #expect(throws: FetchError.self) { try reader.all(450_000..<600_000) }
        #expect(error == .expired(address: loader.address))
        #expect(calls.withLock { $0 } == 1)
        #expect(loader.status.presentBytes == 500_000)
    }

    @Test("a page in place of a later piece is refused the second time, and what is here stays")
    func page() throws {
        let trial = try LoaderTrial()
        let stream = try PieceStream(trial.origin)
        trial.origin.change("/p5.ts") { $0.faults.answers = [.loginPage(times: 1)] }
        trial.origin.change("/p7.ts") { $0.faults.answers = [.loginPage()] }
        let loader = try trial.loader("/a.m3u8")
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error?.name == "not media")
        #expect(loader.status.presentBytes == 700_000)
        trial.origin.change("/p7.ts") { $0.faults.answers = [] }
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == stream.whole)
    }
}
