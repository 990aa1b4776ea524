internal import TakeupFields

/// Parses finished playlists of HTTP Live Streaming; the caller must resolve and check every
/// address.
///
/// - Note: Source: RFC 8216.
public struct PlaylistParser: Sendable {
    public var limits: PlaylistLimits

    public init(limits: PlaylistLimits = PlaylistLimits()) {
        self.limits = limits
    }

    /// Parses a whole playlist.
    ///
    /// - Parameter bytes: UTF-8, with or without a byte order mark; lines end with LF or CR LF.
    /// - Returns: A master playlist with variants, or a media playlist with segments.
    /// - Throws: Any `PlaylistError`; an error with a line number describes that line.
    public func parse(_ bytes: some Collection<UInt8>) throws(PlaylistError) -> Playlist {
        let lines = try lines(of: Array(bytes))
        var kind: PlaylistKind?
        for line in lines {
            guard let found = line.tag.flatMap({ PlaylistKind(tag: $0.name) }) else { continue }
            guard kind == nil || kind == found else {
                throw .malformed(line: line.number, "tags of a master and of a media playlist")
            }
            kind = found
        }
        switch kind {
        case .master:
            var reader = MasterPlaylistReader(limits: limits)
            for line in lines { try reader.read(line) }
            return .master(try reader.finish())
        case .media:
            var reader = MediaPlaylistReader(limits: limits)
            for line in lines { try reader.read(line) }
            return .media(try reader.finish())
        case nil:
            throw .empty
        }
    }

    /// Returns the lines after `#EXTM3U`, without empty lines and comments.
    private func lines(of bytes: [UInt8]) throws(PlaylistError) -> [PlaylistLine] {
        guard bytes.count <= limits.bytes else { throw .tooLarge("\(limits.bytes) bytes") }
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let split = bytes.dropFirst(hasMark ? 3 : 0).split(
            separator: 0x0A, maxSplits: limits.lines, omittingEmptySubsequences: false)
        var lines: [PlaylistLine] = []
        for (index, raw) in split.enumerated() {
            guard index < limits.lines else { throw .tooLarge("\(limits.lines) lines") }
            let raw = raw.last == 0x0D ? raw.dropLast() : raw
            guard raw.count <= limits.lineBytes else {
                throw .tooLarge("\(limits.lineBytes) bytes in a line")
            }
            let isClean = raw.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            let text = isClean ? String(validating: raw, as: UTF8.self) : nil
            if index == 0 {
                guard let text, FieldText.trimmed(text) == "#EXTM3U" else { throw .notAPlaylist }
                continue
            }
            guard let text else { throw .malformed(line: index + 1, "no text in UTF-8") }
            if let line = PlaylistLine(text, number: index + 1) { lines.append(line) }
        }
        return lines
    }
}
