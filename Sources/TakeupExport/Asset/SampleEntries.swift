internal import TakeupFFmpeg

/// Reads the sample entries of a movie's tracks: finds encrypted tracks and tracks with different
/// entries.
///
/// The demuxer replaces an encrypted entry by the original format, and marks packets only if it can
/// decrypt them.
///
/// - Note: Source: ISO/IEC 14496-12 §8.12 (`encv` and so on), `drms` and `drmi` of Apple's
///   FairPlay, `aavd` of Audible.
struct SampleEntries {
    private static let marks: Set<String> = [
        "encv", "enca", "enct", "encs", "encm", "encp", "drms", "drmi", "drmt", "aavd",
    ]
    /// Highest number of boxes to read.
    private static let boxLimit = 10_000

    private struct Box {
        let name: String
        let contents: Range<Int64>
    }

    /// Why a track with different entries cannot be copied.
    static let reason = "its coding parameters change midway, and MP4 describes a track only once"

    /// Number of bytes compared between two entries.
    private static let longestEntry: Int64 = 1 << 16

    private let source: any ByteSource
    private var rest = boxLimit

    /// Indexes of the encrypted tracks, from 0.
    private(set) var encrypted: Set<Int> = []
    /// Indexes of the tracks with several different sample descriptions.
    private(set) var varied: Set<Int> = []

    /// Finds nothing if the source is not a movie.
    init(of source: any ByteSource, _ container: String) {
        self.source = source
        guard container.contains("mp4"), let size = source.byteCount else { return }
        read(0..<size)
    }

    private mutating func read(_ file: Range<Int64>) {
        guard let movie = boxes(in: file, named: "moov").first else { return }
        for (number, track) in boxes(in: movie.contents, named: "trak").enumerated() {
            var tables: [Box] = [track]
            for name in ["mdia", "minf", "stbl"] {
                tables = tables.flatMap { boxes(in: $0.contents, named: name) }
            }
            let inner = tables.flatMap { boxes(in: $0.contents, named: "stsd") }
            // Version, flags and a count come before the entries.
            let entries = inner.flatMap { box in
                boxes(
                    in: min(
                        box.contents.lowerBound + 8, box.contents.upperBound)..<box.contents
                        .upperBound)
            }
            if entries.contains(where: { Self.marks.contains($0.name) }) {
                encrypted.insert(number)
            }
            if entries.count > 1, isVaried(entries, tables) { varied.insert(number) }
        }
    }

    /// Returns whether several different entries are in use; in a fragmented movie, all entries
    /// count as used.
    private mutating func isVaried(_ entries: [Box], _ tables: [Box]) -> Bool {
        let chunks = tables.flatMap { boxes(in: $0.contents, named: "stsc") }.first
        let numbers = chunks.map(descriptionNumbers) ?? []
        let used = numbers.isEmpty ? Set(1...entries.count) : numbers
        let contents = used.filter { $0 >= 1 && $0 <= entries.count }.map { bytes(entries[$0 - 1]) }
        return Set(contents).count > 1
    }

    /// Returns the entry numbers in a sample-to-chunk table, from 1.
    ///
    /// - Note: Source: ISO/IEC 14496-12 §8.7.4: twelve bytes a row, the last four of which are the
    ///   number.
    private func descriptionNumbers(_ table: Box) -> Set<Int> {
        guard let window = ByteWindow(source),
            let count = window.number(at: table.contents.lowerBound + 4, bytes: 4)
        else { return [] }
        var numbers: Set<Int> = []
        var place = table.contents.lowerBound + 16
        for _ in 0..<count where place + 4 <= table.contents.upperBound {
            guard let number = window.number(at: place, bytes: 4) else { break }
            numbers.insert(Int(number))
            place += 12
        }
        return numbers
    }

    private func bytes(_ box: Box) -> [UInt8] {
        let count = min(Self.longestEntry, Int64(box.contents.count))
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let filled = (try? source.bytes(at: box.contents.lowerBound, into: &bytes)) ?? 0
        return Array(box.name.utf8) + bytes.prefix(filled)
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

    /// Returns a box's header length and total length, in bytes.
    private static func extent(_ head: [UInt8], _ count: Int, upTo rest: Int64) -> (Int64, Int64) {
        let short = head[0..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        if short == 0 { return (8, rest) }
        guard short == 1 else { return (8, short) }
        guard count == 16 else { return (16, 0) }
        let long = head[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (16, Int64(clamping: long))
    }
}
