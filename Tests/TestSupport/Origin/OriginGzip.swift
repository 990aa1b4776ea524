/// A gzip stream that holds bytes as they are.
///
/// - Note: Source: RFC 1951, 3.2.4 (stored blocks) and RFC 1952, 2.3.
enum OriginGzip {
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var start = 0
        repeat {
            let end = min(bytes.count, start + 65535)
            let count = UInt16(end - start)
            stream.append(end == bytes.count ? 1 : 0)
            stream += littleEndian(count) + littleEndian(~count) + bytes[start..<end]
            start = end
        } while start < bytes.count
        return stream + littleEndian(checksum(bytes)) + littleEndian(UInt32(bytes.count))
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let table = (0..<256).map(entry)
        var sum = ~UInt32(0)
        for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
        return ~sum
    }

    private static func entry(_ index: Int) -> UInt32 {
        var sum = UInt32(index)
        for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        return sum
    }
}
