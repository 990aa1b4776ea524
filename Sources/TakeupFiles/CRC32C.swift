internal import CTakeupLinux

/// A checksum that detects bytes changed by a disk or a torn write; it does not protect against
/// intent.
///
/// - Note: Source: RFC 3720, appendix B.4 (the Castagnoli polynomial).
public enum CRC32C {
    private static let hasInstruction = takeup_has_crc32c() != 0

    /// Computes the checksum of bytes; `sum` is the checksum of the bytes before them.
    public static func of(_ bytes: UnsafeRawBufferPointer, after sum: UInt32 = 0) -> UInt32 {
        hasInstruction
            ? ~takeup_crc32c(~sum, bytes.baseAddress, bytes.count) : byTable(bytes, after: sum)
    }

    public static func of(_ bytes: [UInt8], after sum: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { of($0, after: sum) }
    }

    /// Computes the checksum on a processor without the instruction.
    static func byTable(_ bytes: UnsafeRawBufferPointer, after sum: UInt32) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var sum = ~sum
            var place = 0
            while bytes.count - place >= 8 {
                let word =
                    bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
                    ^ UInt64(sum)
                sum = 0
                for byte in 0..<8 {
                    sum ^= tables[(7 - byte) << 8 | Int(word >> (8 * UInt64(byte)) & 0xFF)]
                }
                place += 8
            }
            for byte in bytes[place...] {
                sum = tables[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8
            }
            return ~sum
        }
    }

    /// Eight tables of 256 entries: the effect of a byte on the checksum with 0 to 7 bytes after
    /// it.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { (byte: UInt32) in
            (0..<8).reduce(byte) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0x82F6_3B78 }
        }
        for place in 256..<2048 {
            let before = tables[place - 256]
            tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
        }
        return tables
    }()
}
