import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and playlists that are gone on with")
struct PlaylistResumeTests {
    private static let pieceBytes: Int64 = 300_000

    /// Fetches a stream up to one of its pieces, and leaves.
    private func begin(
        _ trial: borrowing LoaderTrial, to path: String
    ) throws {
        let runs = trial.logs.withLock { $0.count }
        trial.origin.change(path) { $0.faults.answers = [.status(404)] }
        do {
            let loader = try trial.loader("/a.m3u8")
            #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        }
        let logs = trial.logs
        #expect(trial.origin.wait { _ in logs.withLock { $0.count } == runs + 1 })
        trial.origin.change(path) { $0.faults.answers = [] }
    }

    private func journal(_ trial: borrowing LoaderTrial) throws -> (String, [UInt8]) {
        let key = SourceKey(address: trial.origin.url("/a.m3u8"))
        let path = "\(trial.library.store.path)/\(key.shard)/\(key)/\(SourceLayout.journal)"
        return (path, [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    /// Changes a byte of what is stored.
    private func damage(_ trial: borrowing LoaderTrial, at place: Int) throws {
        let folder = String(try journal(trial).0.dropLast(SourceLayout.journal.count))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let data = "\(folder)\(try #require(names.first { SourceLayout.isData($0) }))"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: data))
        bytes[place] ^= 1
        try bytes.write(to: URL(fileURLWithPath: data))
    }

    @Test("another run begins with the piece that is not whole here")
    func goesOn() throws {
        let trial = try LoaderTrial()
        let stream = try PieceStream(trial.origin, count: 12, pieceBytes: Self.pieceBytes)
        try begin(trial, to: "/p9.ts")
        let loader = try trial.another().loader(for: trial.origin.url("/a.m3u8"))
        #expect(try loader.reader().everything() == stream.whole)
        try loader.waitUntilComplete()
        #expect(Array(stream.times().prefix(8)) == Array(repeating: 1, count: 8))
        // Less than a block was not noted, and lies in one piece.
        #expect(stream.bytesServed <= Int64(stream.whole.count) + Self.pieceBytes + 100)
    }

    @Test("what a kill takes of a stream is what was not committed, and a piece (F2)")
    func killed() async throws {
        let trial = try LoaderTrial()
        let stream = try PieceStream(trial.origin, count: 48, pieceBytes: 500_000)
        trial.origin.change("/p36.ts") { $0.faults.stalls = [OriginStall(at: 0)] }
        let (path, address) = (trial.folder.file("sources"), trial.origin.url("/a.m3u8"))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, address = address as String] in
            let store = try SourceStore(path: path) { Date().timeIntervalSince1970 }
            let library = SourceLibrary(store: store, settings: LoaderTrial.settings())
            let reader = try library.loader(for: address).reader()
            let bytes = try reader.all(0..<18_000_000)
            if bytes.count == 18_000_000 { kill(getpid(), SIGKILL) }
        }
        #expect(stream.bytesServed >= 18_000_000)
        trial.origin.release("/p36.ts")
        let loader = try trial.another().loader(for: address)
        #expect(try loader.reader().equals(stream.whole))
        #expect(stream.bytesServed <= 24_000_000 + 8 << 20 + 500_000 + 100)
        #expect(Array(stream.times()[1..<18]) == Array(repeating: 1, count: 17))
    }

    @Test("pieces with a key, a map and parts of one file are found again")
    func sealed() throws {
        let trial = try LoaderTrial()
        let origin = trial.origin
        let all = LoaderTrial.content(2_000_000)
        var whole = try all.read(0..<1000)
        var lines = ["#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"1000@0\""]
        for part in 0..<5 as Range<Int64> {
            let start = 1000 + part * Self.pieceBytes
            lines += ["#EXTINF:4,", "#EXT-X-BYTERANGE:\(Self.pieceBytes)@\(start)", "all.mp4"]
            whole += try all.read(start..<(start + Self.pieceBytes))
        }
        lines += ["#EXT-X-KEY:METHOD=AES-128,URI=\"key\",IV=0x09"]
        let vector = Array(repeating: UInt8(0), count: 15) + [9]
        for number in 0..<5 as Range<UInt64> {
            let piece = try SealedPiece(
                LoaderTrial.content(Self.pieceBytes, seed: number + 2), vector: vector)
            #expect((Self.pieceBytes - 16..<Self.pieceBytes).contains(Int64(piece.plain.count)))
            origin.serve("/s\(number).ts", OriginObject(.bytes(piece.sealed)))
            lines += ["#EXTINF:4,", "s\(number).ts"]
            whole += piece.plain
        }
        let text =
            ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:4"] + lines
            + ["#EXT-X-ENDLIST"]
        origin.serve("/all.mp4", OriginObject(all))
        origin.serve("/key", OriginObject(.bytes(SealedPiece.key)))
        origin.serve("/a.m3u8", OriginObject(.bytes(Array(text.joined(separator: "\n").utf8))))
        try begin(trial, to: "/s3.ts")
        let loader = try trial.another().loader(for: origin.url("/a.m3u8"))
        #expect(try loader.reader().everything() == whole)
        try loader.waitUntilComplete()
        #expect(origin.bytesServed("/all.mp4") <= 1000 + 5 * Self.pieceBytes + 100)
        #expect(origin.bytesServed("/s0.ts") == Self.pieceBytes)
        #expect(origin.bytesServed("/s1.ts") == Self.pieceBytes)
        #expect(origin.bytesServed("/s2.ts") <= 2 * Self.pieceBytes)
    }

    @Test("a journal that tells nothing of pieces begins with the first one")
    func oldJournal() throws {
        let trial = try LoaderTrial()
        let stream = try PieceStream(trial.origin, count: 12, pieceBytes: Self.pieceBytes)
        try begin(trial, to: "/p9.ts")
        let (path, bytes) = try journal(trial)
        let header = try #require(JournalHeader(bytes))
        let records = JournalContent.records(bytes, from: header.byteCount, header.generation)
        let old = records.filter { if case .piece = $0 { false } else { true } }
        #expect(records.count - old.count == 9)
        let left = header.bytes + old.flatMap { $0.bytes(generation: header.generation) }
        try Data(left).write(to: URL(fileURLWithPath: path))
        let loader = try trial.another().loader(for: trial.origin.url("/a.m3u8"))
        #expect(try loader.reader().everything() == stream.whole)
        try loader.waitUntilComplete()
        #expect(loader.log.versionChanges == 0)
        #expect(stream.times()[1] == 2)
    }

    @Test("a piece that is half here is not joined with the other half of another (C5)")
    func replaced() throws {
        let trial = try LoaderTrial()
        let stream = try PieceStream(trial.origin, count: 12, pieceBytes: Self.pieceBytes)
        try begin(trial, to: "/p9.ts")
        // The first piece, which stands for all, stays as it was.
        let other = try LoaderTrial.bytes(LoaderTrial.content(Self.pieceBytes, seed: 99))
        trial.origin.serve("/p8.ts", OriginObject(.bytes(other)))
        let loader = try trial.another().loader(for: trial.origin.url("/a.m3u8"))
        try loader.waitUntilComplete()
        var pieces = stream.pieces
        pieces[8] = other
        #expect(try loader.reader().everything() == pieces.flatMap { $0 })
        #expect(loader.log.versionChanges == 1)
    }

    @Test("another playlist under the same address starts over")
    func renamed() throws {
        let trial = try LoaderTrial()
        _ = try PieceStream(trial.origin, count: 12, pieceBytes: Self.pieceBytes)
        try begin(trial, to: "/p9.ts")
        let shorter = try PieceStream(trial.origin, count: 11, pieceBytes: Self.pieceBytes)
        let loader = try trial.another().loader(for: trial.origin.url("/a.m3u8"))
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == shorter.whole)
        #expect(loader.log.versionChanges == 1)
    }

    @Test("a block that was damaged costs its pieces alone (F7)")
    func damaged() throws {
        let trial = try LoaderTrial()
        let stream = try PieceStream(trial.origin, count: 12, pieceBytes: Self.pieceBytes)
        let logs = trial.logs
        try trial.loader("/a.m3u8").waitUntilComplete()
        #expect(trial.origin.wait { _ in logs.withLock { $0.count } == 1 })
        try damage(trial, at: 1_700_000)
        let served = stream.bytesServed
        let loader = try trial.another().loader(for: trial.origin.url("/a.m3u8"))
        #expect(try loader.reader().everything() == stream.whole)
        try loader.waitUntilComplete()
        let again = stream.bytesServed - served
        #expect(again >= Self.pieceBytes && again <= 2 * Self.pieceBytes + 100, "\(again)")
    }

    @Test("a damage that is found behind the last piece is healed too (F7)")
    func damagedBefore() throws {
        let trial = try LoaderTrial()
        let stream = try PieceStream(trial.origin, count: 12, pieceBytes: Self.pieceBytes)
        try begin(trial, to: "/p9.ts")
        try damage(trial, at: 1_700_000)
        let loader = try trial.another().loader(for: trial.origin.url("/a.m3u8"))
        try loader.waitUntilComplete()
        #expect(stream.times()[5] == 1)
        #expect(try loader.reader().everything() == stream.whole)
        try loader.waitUntilComplete()
        #expect(Array(stream.times()[4...7]) == [1, 2, 2, 1])
    }
}
