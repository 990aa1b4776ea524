internal import Foundation
internal import TakeupCurl
internal import TakeupDigest

/// The pieces of a media playlist's stream, in order.
struct PlaylistPieces {
    /// One part of the stream, as the origin serves it.
    struct Piece: Equatable {
        var address: WebAddress
        var bytes: Range<Int64>?
        var key: Key?
    }

    struct Key: Equatable {
        var address: WebAddress
        var vector: [UInt8]
    }

    /// Begins the version of joined pieces; no validators of an object begin so.
    private static let kind = "hls "

    let pieces: [Piece]
    private let hasMap: Bool
    /// Address of the playlist that named the pieces.
    let home: WebAddress
    /// A text that identifies the pieces by their names, whatever their bytes.
    private let names: String
    /// The origin's first validators of the witness piece, the first piece with pictures or sound.
    private(set) var facts = EntityVersion()
    /// A random mark that replaces missing facts.
    private var mark = ""
    var keys: [WebAddress: [UInt8]] = [:]
    /// Addresses in the playlist may have expired; the playlist must be read again first.
    var isStale = false

    /// - Throws: `FetchError.unsupported` for a playlist with several maps, which would come out
    ///   wrong; `.denied` for an invalid address.
    init(_ playlist: MediaPlaylist, at home: WebAddress) throws(FetchError) {
        self.home = home
        var pieces: [Piece] = []
        var map: MediaPlaylist.Map?
        for segment in playlist.segments {
            if let own = segment.map, own != map {
                guard map == nil, pieces.isEmpty else {
                    throw .unsupported("a playlist with several maps", address: home.redacted)
                }
                map = own
                let key = own.key
                pieces.append(
                    try Self.piece(own.uri, own.bytes, key, key?.vector, home))
            }
            pieces.append(
                try Self.piece(
                    segment.uri, segment.bytes, segment.key, segment.initializationVector, home))
        }
        self.pieces = pieces
        hasMap = map != nil
        names = Self.names(pieces, home)
    }

    /// The piece whose validators identify the version of all pieces.
    var witness: Piece? { pieces.dropFirst(hasMap ? 1 : 0).first }

    /// The version of the stream: the names alone say nothing about the bytes, so the facts are
    /// included.
    var version: SourceVersion {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = (try? encoder.encode(facts)).map { String(decoding: $0, as: UTF8.self) }
        return SourceVersion(validator: "\(names) \(text ?? "")\(mark)")
    }

    /// Returns whether a stored version is that of joined pieces.
    static func isVersion(_ version: SourceVersion?) -> Bool {
        version?.validator.hasPrefix(kind) ?? false
    }

    /// Adopts the origin's facts about the witness; if they agree with the stored version, keeps
    /// the stored facts.
    ///
    /// Without facts, the stream counts as unchanged only within one download, and only with the same pieces.
    mutating func identify(
        _ facts: EntityVersion, stored: SourceVersion?, _ policy: EntityVersion.TagPolicy,
        after known: PlaylistPieces?
    ) {
        // How one answer was framed says nothing of the pieces.
        var facts = facts
        facts.isOpenEnded = nil
        self.facts = facts
        if facts == EntityVersion() {
            let isSame = known.map { $0.names == names && !$0.mark.isEmpty } ?? false
            mark = isSame ? known?.mark ?? "" : " \(FetchSession.randomID)"
            return
        }
        guard let text = stored?.validator, text.hasPrefix(names + " ") else { return }
        let rest = Data(text.dropFirst(names.count + 1).utf8)
        guard let known = try? JSONDecoder().decode(EntityVersion.self, from: rest),
            known.matches(facts, policy)
        else { return }
        self.facts = known
    }

    private static func piece(
        _ uri: String, _ bytes: Range<Int64>?, _ key: MediaPlaylist.Key?, _ vector: [UInt8]?,
        _ home: WebAddress
    ) throws(FetchError) -> Piece {
        var piece = Piece(address: try resolve(uri, home), bytes: bytes)
        guard let key else { return piece }
        guard let vector, vector.count == AES128.vectorBytes else {
            throw .unsupported("an encrypted piece without a vector", address: home.redacted)
        }
        piece.key = Key(address: try resolve(key.uri, home), vector: vector)
        return piece
    }

    static func resolve(_ uri: String, _ home: WebAddress) throws(FetchError) -> WebAddress {
        do throws(CurlError) {
            return try home.resolving(uri)
        } catch {
            throw .denied("an address in a playlist: \(error)", address: home.redacted)
        }
    }

    /// The pieces' names without hosts and queries, which change if addresses are signed.
    private static func names(
        _ pieces: [Piece], _ home: WebAddress
    ) -> String {
        let lines = pieces.map { piece in
            let range = piece.bytes.map { "\($0.lowerBound)-\($0.upperBound)" } ?? ""
            let key = piece.key.map { "\($0.address.path) \($0.vector)" }
            return "\(piece.address.path) \(range) \(key ?? "")"
        }
        return kind + SHA256Digest.of(lines.joined(separator: "\n"))
    }
}

extension FetchError {
    static func playlist(_ error: PlaylistError, _ address: String) -> FetchError {
        switch error {
        case .notAPlaylist, .empty: .notMedia("an empty playlist", address: address)
        case .tooLarge(let limit): .unsupported("a playlist above \(limit)", address: address)
        case .malformed(let line, let reason):
            .invalidResponse("line \(line) of a playlist: \(reason)", address: address)
        case .unsupported(let line, let reason):
            .unsupported("line \(line) of a playlist: \(reason)", address: address)
        case .protected(_, let method):
            .unsupported("a playlist protected by \(method)", address: address)
        case .nestedPlaylist: .unsupported("a playlist in a playlist", address: address)
        case .live: .unsupported("a live playlist", address: address)
        }
    }
}
