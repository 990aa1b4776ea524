import TestSupport

/// A finished playlist of equal pieces at an origin; each, and the playlist, may be under a signature.
struct PieceStream {
    static let path = "/a.m3u8"

    let origin: TestOrigin
    let pieces: [[UInt8]]
    /// Without those of the playlist.
    var paths: [String] { pieces.indices.map { "/p\($0).ts" } }
    var whole: [UInt8] { pieces.flatMap { $0 } }

    /// Serves it; where that is wanted, the pieces' addresses and the playlist's own hold tokens.
    init(
        _ origin: TestOrigin, count: Int = 20, pieceBytes: Int64 = 100_000, isSigned: Bool = false,
        isListSigned: Bool = false
    ) throws {
        self.origin = origin
        pieces = try (0..<count).map {
            try LoaderTrial.bytes(LoaderTrial.content(pieceBytes, seed: UInt64($0 + 1)))
        }
        for (path, bytes) in zip(paths, pieces) {
            var object = OriginObject(.bytes(bytes))
            if isSigned { object.faults.expiry = OriginExpiry(after: nil) }
            origin.serve(path, object)
        }
        var list = makeList()
        if isListSigned { list.faults.expiry = OriginExpiry(after: nil) }
        origin.serve(Self.path, list)
    }

    /// With the tokens that are good now.
    private func makeList() -> OriginObject {
        let names = paths.map { String(origin.signedURL($0).dropFirst(origin.url("/").count)) }
        let lines =
            ["#EXTM3U", "#EXT-X-TARGETDURATION:4"] + names.flatMap { ["#EXTINF:4,", $0] }
            + ["#EXT-X-ENDLIST"]
        return OriginObject(
            .bytes(Array(lines.joined(separator: "\n").utf8)),
            type: "application/vnd.apple.mpegurl", tag: .absent, lastModified: nil)
    }

    /// Ends every signature.
    func expire() {
        for path in paths + [Self.path] { origin.rotateToken(path) }
    }

    /// Lets the playlist name the tokens that are good now.
    func sign() {
        var list = makeList()
        origin.change(Self.path) { list.faults = $0.faults }
        origin.replace(Self.path, with: list)
    }

    /// How often the bytes of each piece went out; those of the first are also looked at.
    func times() -> [Int64] {
        zip(paths, pieces).map { origin.bytesServed($0) / Int64($1.count) }
    }

    var bytesServed: Int64 { paths.reduce(0) { $0 + origin.bytesServed($1) } }
}
