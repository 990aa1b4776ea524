/// Finds where a frame of FLAC ends that something else stands behind.
///
/// - Note: Source: RFC 9639 §9.3: a frame ends with its checksum, of the polynomial 0x8005, from 0.
enum FLACFrame {
    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in
            sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005
        }
    }

    /// - Returns: The last place up to which the checksum is right, and with one byte less is wrong; nil for none.
    static func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var (sum, end): (UInt16, Int?) = (0, nil)
        for (place, byte) in bytes.enumerated() {
            let next = sum << 8 ^ table[Int(sum >> 8 ^ UInt16(byte))]
            // Behind a right one, zeros change nothing.
            if next == 0, sum != 0 { end = place + 1 }
            sum = next
        }
        return end
    }
}
