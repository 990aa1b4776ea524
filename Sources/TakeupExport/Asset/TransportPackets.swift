internal import TakeupFFmpeg

/// Whether a transport stream starts or ends in the middle of a packet: a sign that it was cut.
///
/// - Note: Source: ISO/IEC 13818-1: packets of 188 bytes that start with 0x47; 192 with a time code before each.
enum TransportPackets {
    static func isMisaligned(_ source: any ByteSource, _ container: String) -> Bool {
        guard container == "mpegts", let size = source.byteCount else { return false }
        guard let head = bytes(source, at: 0, 3 * 204) else { return false }
        for (length, sync) in [(188, 0), (192, 4), (204, 0)] {
            let places = [sync, sync + length, sync + 2 * length].filter { $0 < head.count }
            guard places.count > 1, places.allSatisfy({ head[$0] == 0x47 }) else { continue }
            // What follows the last whole packet is a cut one only if it begins like one.
            let rest = size % Int64(length)
            guard rest > Int64(sync) else { return false }
            return bytes(source, at: size - rest + Int64(sync), 1)?.first == 0x47
        }
        return true
    }

    private static func bytes(_ source: any ByteSource, at offset: Int64, _ count: Int) -> [UInt8]?
    {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try? source.bytes(at: offset, into: &bytes)
        return filled.map { Array(bytes.prefix($0)) }
    }
}
