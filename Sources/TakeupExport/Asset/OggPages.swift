internal import TakeupFFmpeg

/// Whether an Ogg file ends in the middle of a page: a sign that it was cut.
///
/// - Note: Source: RFC 3533 §6: `OggS`, version 0, 27 bytes of header, a table of segment lengths.
enum OggPages {
    /// The longest page: header, 255 lengths and as many segments of 255 bytes.
    private static let longestPage = 27 + 255 + 255 * 255

    static func isCut(_ source: any ByteSource, _ container: String) -> Bool {
        guard container == "ogg", let size = source.byteCount else { return false }
        let offset = max(0, size - Int64(longestPage))
        var tail = [UInt8](repeating: 0, count: Int(size - offset))
        guard let count = try? source.bytes(at: offset, into: &tail), count == tail.count else {
            return false
        }
        let mark = Array("OggS".utf8) + [0]
        var place = tail.count - mark.count
        while place >= 0 {
            if Array(tail[place..<place + mark.count]) == mark {
                return end(of: place, tail) > tail.count
            }
            place -= 1
        }
        return false
    }

    private static func end(of page: Int, _ bytes: [UInt8]) -> Int {
        let table = page + 27
        guard table <= bytes.count else { return .max }
        let segments = Int(bytes[table - 1])
        guard table + segments <= bytes.count else { return .max }
        return table + segments + bytes[table..<table + segments].reduce(0) { $0 + Int($1) }
    }
}
