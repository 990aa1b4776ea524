import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Playlists of origins that tell little")
struct PlaylistFramingTests {
    /// A stream whose pieces end by the close of a connection.
    private func stream(
        _ trial: borrowing LoaderTrial, _ ranges: OriginFaults.RangeSupport
    ) throws -> PieceStream {
        let stream = try PieceStream(trial.origin, count: 6)
        for path in stream.paths {
            trial.origin.change(path) {
                ($0.tag, $0.lastModified) = (.absent, nil)
                ($0.faults.ranges, $0.faults.framing) = (ranges, .untilClose)
            }
        }
        return stream
    }

    @Test(
        "a piece that a closed connection cut is whole all the same",
        arguments: [OriginEntityTag.absent, .strong("v"), .perRequest])
    func cut(tag: OriginEntityTag) throws {
        let trial = try LoaderTrial()
        let stream = try stream(trial, .ignored)
        trial.origin.change("/p3.ts") {
            $0.tag = tag
            $0.faults.cuts = [70_000, 60_000].map { OriginCut(.bodyBytes($0), times: 1) }
        }
        let loader = try trial.loader(PieceStream.path)
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == stream.whole)
    }

    @Test("a piece whose address is good for one answer is taken as it came")
    func oneAnswer() throws {
        let trial = try LoaderTrial()
        let stream = try stream(trial, .ignored)
        trial.origin.change("/p3.ts") {
            var spent = $0
            spent.faults.answers = [.status(403)]
            $0.successions = [OriginSuccession(after: .requests(1), to: spent)]
        }
        let loader = try trial.loader(PieceStream.path)
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == stream.whole)
    }

    @Test("a page in place of a piece of a playlist with other names each time ends it")
    func otherNames() throws {
        let trial = try LoaderTrial()
        func list(_ turn: Int) throws -> OriginObject {
            let names = (0..<4).map { "/r\(turn)/p\($0).ts" }
            for name in names {
                var piece = OriginObject(.bytes(try LoaderTrial.bytes(LoaderTrial.content(50_000))))
                if name.hasSuffix("p3.ts") { piece.faults.answers = [.loginPage()] }
                trial.origin.serve(name, piece)
            }
            let lines =
                ["#EXTM3U", "#EXT-X-TARGETDURATION:4"] + names.flatMap { ["#EXTINF:4,", $0] }
                + ["#EXT-X-ENDLIST"]
            var object = OriginObject(
                .bytes(Array(lines.joined(separator: "\n").utf8)),
                type: "application/vnd.apple.mpegurl", tag: .absent, lastModified: nil)
            if turn > 0 {
                object.successions = [
                    OriginSuccession(after: .requests(1), to: try list(turn - 1))
                ]
            }
            return object
        }
        trial.origin.serve(PieceStream.path, try list(12))
        let loader = try trial.loader(PieceStream.path)
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error?.name == "not media")
        #expect(trial.origin.totals.requests < 40)
    }

    @Test(
        "pieces of an origin that refuses every range are asked for whole", arguments: [400, 501])
    func refusesRanges(status: Int) throws {
        let trial = try LoaderTrial()
        let stream = try PieceStream(trial.origin, count: 4)
        for path in stream.paths + [PieceStream.path] {
            trial.origin.change(path) { $0.faults.ranges = .refused(status) }
        }
        let loader = try trial.loader(PieceStream.path)
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == stream.whole)
    }

    @Test("a piece of another length each time ends the tries")
    func neverTheSame() throws {
        let trial = try LoaderTrial()
        let stream = try stream(trial, .ignored)
        func piece(_ turns: Int) -> OriginObject {
            var object = OriginObject(
                .bytes(Array(stream.pieces[3].prefix(turns.isMultiple(of: 2) ? 60_000 : 90_000))),
                tag: .absent, lastModified: nil)
            (object.faults.ranges, object.faults.framing) = (.ignored, .untilClose)
            if turns > 0 {
                object.successions = [OriginSuccession(after: .requests(1), to: piece(turns - 1))]
            }
            return object
        }
        trial.origin.serve("/p3.ts", piece(40))
        let loader = try trial.loader(PieceStream.path)
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error?.name == "unreachable")
        #expect(loader.status.presentBytes == 300_000)
    }
}
