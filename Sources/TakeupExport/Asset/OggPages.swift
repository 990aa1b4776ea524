internal import TakeupFFmpeg

/// Detects whether an Ogg file ends within a page, a sign of truncation, or lacks pages.
///
/// - Note: Source: RFC 3533 §6: `OggS`, version 0, 27 bytes of header, a table of segment lengths.
struct OggPages {
    /// Longest page, in bytes: the header, 255 lengths and 255 segments of 255 bytes.
    private static let longestPage = 27 + 255 + 255 * 255
    private static let mark = Array("OggS".utf8) + [0]
    /// Highest number of separate bad ranges; later bad pages extend the last range.
    private static let mostRanges = 1000
    /// Highest number of streams with counted pages.
    private static let mostStreams = 10_000

    static func isCut(_ source: any ByteSource, _ container: String) -> Bool {
        guard container == "ogg", let size = source.byteCount else { return false }
        let offset = max(0, size - Int64(longestPage))
        var tail = [UInt8](repeating: 0, count: Int(size - offset))
        guard let count = try? source.bytes(at: offset, into: &tail), count == tail.count else {
            return false
        }
        var place = tail.count - mark.count
        while place >= 0 {
            if Array(tail[place..<place + mark.count]) == mark {
                return end(of: place, tail) > tail.count
            }
            place -= 1
        }
        return false
    }

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    /// Returns the pages that demuxers drop because of a wrong checksum; otherwise the first page
    /// out of sequence.
    ///
    /// Each stream numbers its own pages. Some writers restart at 0; no writer skips a number.
    func fault() -> ContainerWalk.Fault? {
        var counts: [Int64: Int64] = [:]
        var dropped: [Range<Int64>] = []
        var hole: Int64?
        var isCut = false
        var place: Int64 = 0
        while place + 27 <= window.size {
            guard window.has(Self.mark, at: place),
                let stream = window.number(at: place + 14, bytes: 4),
                let segments = window[place + 26]
            else {
                let isTail = ContainerWalk.isTail(place, window) { window.has(Self.mark, at: $0) }
                if !isTail { hole = hole ?? place }
                break
            }
            let count = window.littleEndian(at: place + 18, bytes: 4) ?? 0
            if let last = counts[stream], count > last + 1 { hole = hole ?? place }
            if counts[stream] != nil || counts.count < Self.mostStreams { counts[stream] = count }
            let table = place + 27
            let lengths = (0..<Int64(segments)).map { Int64(window[table + $0] ?? 0) }
            let end = table + Int64(segments) + lengths.reduce(0, +)
            if end > window.size { isCut = true }
            if end <= window.size, !isSound(place..<end) { Self.add(place..<end, to: &dropped) }
            place = end
        }
        if !dropped.isEmpty { return .unreadable(dropped, "have wrong checksums") }
        if isCut { return .cut }
        return hole.map { .broken(at: $0) }
    }

    private static func add(_ page: Range<Int64>, to dropped: inout [Range<Int64>]) {
        guard let last = dropped.last,
            last.upperBound == page.lowerBound || dropped.count == mostRanges
        else {
            dropped.append(page)
            return
        }
        dropped[dropped.count - 1] = last.lowerBound..<page.upperBound
    }

    /// Returns whether a page matches its checksum; an unreadable page counts as matching, because
    /// other checks report it.
    private func isSound(_ page: Range<Int64>) -> Bool {
        guard let told = window.littleEndian(at: page.lowerBound + 22, bytes: 4) else {
            return true
        }
        let ranges = [
            page.lowerBound..<page.lowerBound + 22, page.lowerBound + 26..<page.upperBound,
        ]
        guard let head = window.checksum(ranges[0], 0, Self.table) else { return true }
        let middle = (0..<4).reduce(head) { sum, _ in sum << 8 ^ Self.table[Int(sum >> 24)] }
        return window.checksum(ranges[1], middle, Self.table).map { $0 == UInt32(told) } ?? true
    }

    /// - Note: Source: RFC 3533 §6: the polynomial 0x04C11DB7, from 0, nothing turned over.
    static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { sum, _ in
            sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
        }
    }

    private static func end(of page: Int, _ bytes: [UInt8]) -> Int {
        let table = page + 27
        guard table <= bytes.count else { return .max }
        let segments = Int(bytes[table - 1])
        guard table + segments <= bytes.count else { return .max }
        return table + segments + bytes[table..<table + segments].reduce(0) { $0 + Int($1) }
    }
}
