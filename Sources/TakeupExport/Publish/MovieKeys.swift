/// Puts QuickTime metadata entries into a movie's index.
///
/// FFmpeg's muxer writes either these entries or the metadata that other players read. So the muxer
/// writes the metadata, with a placeholder as long as the later entry box. This type then replaces
/// the placeholder by the box, so that nothing else moves.
///
/// Performs no I/O.
///
/// - Note: Source: Apple QuickTime File Format, "Metadata"; ISO/IEC 14496-12 §8.11.1.
struct MovieKeys {
    /// Metadata keys that few files use, and their box types.
    private static let words = [
        ("synopsis", "ldes"), ("network", "tvnn"), ("keywords", "keyw"), ("episode_id", "tven"),
        ("show", "tvsh"),
    ]
    /// Size of a metadata box without its value, in bytes.
    private static let wordHeader = 24
    private static let filler = UInt8(ascii: "-")

    /// The `meta` box.
    let box: [UInt8]

    /// - Returns: nil if there are no entries.
    init?(_ keys: [String: String]) {
        guard !keys.isEmpty else { return nil }
        let entries = keys.sorted { $0.key < $1.key }
        let names = entries.map { key, _ in Self.box("mdta", Array(key.utf8)) }
        let values = entries.enumerated().map { place, entry in
            let value = Self.box("data", Self.number(1) + Self.number(0) + Array(entry.value.utf8))
            return Self.number(8 + value.count) + Self.number(place + 1) + value
        }
        let handler =
            Self.number(0) + Self.number(0) + Array("mdta".utf8)
            + [UInt8](repeating: 0, count: 13)
        // Use QuickTime's form without a version, because ExifTool reads no other form at this
        // place.
        box = Self.box(
            "meta",
            Self.box("hdlr", handler)
                + Self.box("keys", Self.number(0) + Self.number(entries.count) + names.joined())
                + Self.box("ilst", Array(values.joined())))
    }

    /// Returns the placeholder that the muxer writes beside the file's metadata, to reserve the
    /// space.
    ///
    /// - Returns: nil if the file uses all keys that could be a placeholder.
    func placeholder(beside metadata: [String: String]) -> (word: String, value: String)? {
        Self.words.first { metadata[$0.0] == nil }.map {
            ($0.0, String(repeating: "-", count: box.count - Self.wordHeader))
        }
    }

    /// - Parameters:
    ///   - movie: The `moov` box, including its header.
    ///   - word: The placeholder's key.
    /// - Returns: The box with the entries in place of the placeholder; nil if the placeholder is
    ///   not where it must be.
    func put(into movie: [UInt8], insteadOf word: String) -> [UInt8]? {
        guard let type = Self.words.first(where: { $0.0 == word })?.1,
            let movieBody = Self.child("moov", of: movie, in: movie.indices),
            let data = Self.child("udta", of: movie, in: movieBody),
            let meta = Self.child("meta", of: movie, in: data), meta.count > 4,
            let list = Self.child("ilst", of: movie, in: meta.dropFirst(4)),
            let found = Self.child(type, of: movie, in: list)
        else { return nil }
        let room = found.lowerBound - 8..<found.upperBound
        guard room.count == box.count,
            movie[room].dropFirst(Self.wordHeader).allSatisfy({ $0 == Self.filler })
        else { return nil }
        var changed = movie
        for body in [data, meta, list] {
            let size = Self.number(body.count + 8 - room.count)
            changed.replaceSubrange(body.lowerBound - 8..<body.lowerBound - 4, with: size)
        }
        changed.removeSubrange(room)
        changed += box
        return changed
    }

    /// - Returns: Range of the content of the first box of a type; nil if there is none with an
    ///   8-byte header.
    private static func child(
        _ type: String, of bytes: [UInt8], in range: Range<Int>
    ) -> Range<Int>? {
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, size <= range.upperBound - place else { return nil }
            if bytes[place + 4..<place + 8].elementsEqual(type.utf8) {
                return place + 8..<place + size
            }
            place += size
        }
        return nil
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(8 + content.count) + Array(type.utf8) + content
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
