/// What the first byte of a NUT frame says about it, from the file's main header.
struct NUTFrames {
    private struct Code {
        var flags: Int64 = NUTFrames.invalid
        var multiplier: Int64 = 1
        var size: Int64 = 0
        var reserved: Int64 = 0
        var header: Int64 = 0
    }

    private static let invalid: Int64 = 8192
    private static let (codedTime, stream, longSize, checksum): (Int64, Int64, Int64, Int64) =
        (8, 16, 32, 64)
    private static let (reserved, header, match, coded): (Int64, Int64, Int64, Int64) =
        (128, 1024, 2048, 4096)
    /// Larger frames begin with no stored header.
    private static let mostWithHeader: Int64 = 4096
    /// Highest number of fields without a meaning.
    private static let mostReserved: Int64 = 256

    private var codes = [Code](repeating: Code(), count: 256)
    /// Lengths of the stored beginnings of frames, in bytes.
    private var headers: [Int64] = [0]
    private var mostDistance: Int64 = 0

    /// Reads a main header; nil if it breaks off.
    init?(_ window: ByteWindow, _ place: Int64) {
        var cursor = NUTCursor(window, at: place)
        guard let version = cursor.number(), version <= 3 || cursor.number() != nil,
            cursor.number() != nil, let distance = cursor.number(), let bases = cursor.number(),
            NUTCursor.isSize(distance), (0..<1 << 16).contains(bases)
        else { return nil }
        mostDistance = distance
        for _ in 0..<bases * 2 where cursor.number() == nil { return nil }
        guard readCodes(&cursor), let count = cursor.number(), (0..<128).contains(count) else {
            return nil
        }
        for _ in 0..<count {
            guard let length = cursor.number(), (0...Self.mostWithHeader).contains(length)
            else { return nil }
            headers.append(length)
            cursor.place += length
        }
    }

    private mutating func readCodes(_ cursor: inout NUTCursor) -> Bool {
        var code = Code()
        var place = 0
        while place < codes.count {
            guard let flags = cursor.number(), let fields = cursor.number(),
                (0..<256).contains(fields)
            else {
                return false
            }
            var values: [Int64] = []
            for _ in 0..<fields {
                guard let value = cursor.number() else { return false }
                values.append(value)
            }
            let value = { (index: Int) in index < values.count ? values[index] : nil }
            code.flags = flags
            code.multiplier = value(1) ?? code.multiplier
            let size = value(3) ?? 0
            code.reserved = value(4) ?? 0
            code.header = value(7) ?? code.header
            let count = value(5) ?? code.multiplier &- size
            let limits: Range<Int64> = 0..<1 << 16
            guard count > 0, limits.contains(code.multiplier), limits.contains(size),
                limits.contains(code.header)
            else { return false }
            var step: Int64 = 0
            while step < count, place < codes.count {
                defer { place += 1 }
                // The byte with which start codes begin.
                if place == 0x4E { continue }
                codes[place] = code
                codes[place].size = size + step
                step += 1
            }
        }
        return true
    }

    /// Returns where the frame at an offset ends; nil if no frame can begin there.
    func end(of place: Int64, _ window: ByteWindow) -> Int64? {
        guard let first = window[place] else { return nil }
        let code = codes[Int(first)]
        var (flags, cursor) = (code.flags, NUTCursor(window, at: place + 1))
        guard flags & Self.invalid == 0 else { return nil }
        // A header that the file's end cuts ends beyond it.
        let beyond = window.size + 1
        if flags & Self.coded != 0 {
            guard let other = cursor.number() else { return beyond }
            flags ^= other
        }
        var values: [Int64: Int64] = [:]
        for flag in [
            Self.stream, Self.codedTime, Self.longSize, Self.match, Self.header, Self.reserved,
        ] where flags & flag != 0 {
            guard let value = cursor.number() else { return beyond }
            values[flag] = value
        }
        let reserved = values[Self.reserved] ?? code.reserved
        guard (0...Self.mostReserved).contains(reserved) else { return nil }
        for _ in 0..<reserved where cursor.number() == nil { return beyond }
        let more = values[Self.longSize] ?? 0
        guard NUTCursor.isSize(more) else { return nil }
        let size = code.size + code.multiplier * more
        let header = size > Self.mostWithHeader ? 0 : values[Self.header] ?? code.header
        guard header >= 0, header < headers.count, size >= headers[Int(header)] else { return nil }
        if flags & Self.checksum != 0 {
            cursor.place += 4
            guard cursor.place <= window.size else { return beyond }
            guard window.checksum(place..<cursor.place, 0, OggPages.table) == 0 else { return nil }
        } else if size > 2 * mostDistance {
            return nil
        }
        return cursor.place + size - headers[Int(header)]
    }
}
