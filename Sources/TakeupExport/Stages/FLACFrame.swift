/// Finds the end of a FLAC frame that other bytes follow.
///
/// - Note: Source: RFC 9639 §9.3: a frame ends with its checksum, of the polynomial 0x8005, from 0.
enum FLACFrame {
    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in
            sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005
        }
    }

    /// - Returns: The last length with a correct checksum whose next shorter length has a wrong
    ///   one; nil for none.
    static func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var (sum, end): (UInt16, Int?) = (0, nil)
        for (place, byte) in bytes.enumerated() {
            let next = sum << 8 ^ table[Int(sum >> 8 ^ UInt16(byte))]
            // After a correct checksum, zeros keep it correct, so they do not count.
            if next == 0, sum != 0 { end = place + 1 }
            sum = next
        }
        return end
    }
}
