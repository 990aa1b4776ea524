internal import TakeupFFmpeg

/// Finds the tracks of a movie whose sample entries say that they are encrypted.
///
/// The demuxer replaces these entries by what they hide, and marks packets only where it can decrypt them.
///
/// - Note: Source: ISO/IEC 14496-12 §8.12 (`encv` and so on), `drms` and `drmi` of Apple's FairPlay, `aavd` of
///   Audible.
struct ProtectedEntries {
    private static let marks: Set<String> = [
        "encv", "enca", "enct", "encs", "encm", "encp", "drms", "drmi", "drmt", "aavd",
    ]
    /// Boxes read before the search gives up.
    private static let boxLimit = 10_000

    private struct Box {
        let name: String
        let contents: Range<Int64>
    }

    private let source: any ByteSource
    private var rest = boxLimit

    /// - Returns: The numbers of the protected tracks, counted from 0.
    static func tracks(of source: any ByteSource, _ container: String) -> Set<Int> {
        guard container.contains("mp4"), let size = source.byteCount else { return [] }
        var search = Self(source: source)
        return search.protectedTracks(in: 0..<size)
    }

    private init(source: any ByteSource) {
        self.source = source
    }

    private mutating func protectedTracks(in file: Range<Int64>) -> Set<Int> {
        guard let movie = boxes(in: file, named: "moov").first else { return [] }
        var found: Set<Int> = []
        for (number, track) in boxes(in: movie.contents, named: "trak").enumerated() {
            var inner: [Box] = [track]
            for name in ["mdia", "minf", "stbl", "stsd"] {
                inner = inner.flatMap { boxes(in: $0.contents, named: name) }
            }
            // Version, flags and a count stand before the entries.
            let entries = inner.flatMap { box in
                boxes(
                    in: min(
                        box.contents.lowerBound + 8, box.contents.upperBound)..<box.contents
                        .upperBound)
            }
            if entries.contains(where: { Self.marks.contains($0.name) }) { found.insert(number) }
        }
        return found
    }

    private mutating func boxes(in range: Range<Int64>, named name: String? = nil) -> [Box] {
        var found: [Box] = []
        var place = range.lowerBound
        while place + 8 <= range.upperBound, rest > 0 {
            rest -= 1
            var head = [UInt8](repeating: 0, count: 16)
            guard let count = try? source.bytes(at: place, into: &head), count >= 8 else { break }
            let (start, size) = Self.extent(head, count, upTo: range.upperBound - place)
            guard size >= start, size <= range.upperBound - place else { break }
            let box = Box(
                name: String(decoding: head[4..<8], as: UTF8.self),
                contents: place + start..<place + size)
            if name == nil || name == box.name { found.append(box) }
            place += size
        }
        return found
    }

    /// Where a box's contents start and how long it is, in bytes from its own start.
    private static func extent(_ head: [UInt8], _ count: Int, upTo rest: Int64) -> (Int64, Int64) {
        let short = head[0..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        if short == 0 { return (8, rest) }
        guard short == 1 else { return (8, short) }
        guard count == 16 else { return (16, 0) }
        let long = head[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (16, Int64(clamping: long))
    }
}
