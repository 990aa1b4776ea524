internal import TakeupFFmpeg

/// Whether an Ogg file ends in the middle of a page, a sign that it was cut, or lacks some in its middle.
///
/// - Note: Source: RFC 3533 §6: `OggS`, version 0, 27 bytes of header, a table of segment lengths.
enum OggPages {
    /// The longest page: header, 255 lengths and as many segments of 255 bytes.
    private static let longestPage = 27 + 255 + 255 * 255
    private static let mark = Array("OggS".utf8) + [0]

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

    /// Where the first page stands that does not follow the one before it; nil where all do.
    ///
    /// Each stream numbers its own pages. Some writers start again at 0; no writer skips a number.
    static func hole(_ window: ByteWindow) -> Int64? {
        var counts: [Int64: Int64] = [:]
        var place: Int64 = 0
        while place + 27 <= window.size {
            guard window.has(mark, at: place), let stream = window.number(at: place + 14, bytes: 4),
                let segments = window[place + 26]
            else {
                let isTail = ContainerWalk.isTail(place, window) { window.has(mark, at: $0) }
                return isTail ? nil : place
            }
            let count = window.littleEndian(at: place + 18, bytes: 4) ?? 0
            if let last = counts[stream], count > last + 1 { return place }
            counts[stream] = count
            let table = place + 27
            let lengths = (0..<Int64(segments)).map { Int64(window[table + $0] ?? 0) }
            place = table + Int64(segments) + lengths.reduce(0, +)
        }
        return nil
    }

    private static func end(of page: Int, _ bytes: [UInt8]) -> Int {
        let table = page + 27
        guard table <= bytes.count else { return .max }
        let segments = Int(bytes[table - 1])
        guard table + segments <= bytes.count else { return .max }
        return table + segments + bytes[table..<table + segments].reduce(0) { $0 + Int($1) }
    }
}
