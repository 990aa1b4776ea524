internal import TakeupFiles

/// One fact about a source's bytes, as the journal records it.
enum JournalRecord: Equatable {
    /// A block's bytes are written.
    case block(UInt32, StoredBlock)
    /// A block's bytes turned out to be wrong.
    case dropped(UInt32)
    /// The source's length became known.
    case length(Int64)
    /// Every block is present.
    case complete
    /// The length of a piece of the stream; the number counts from 0.
    case piece(UInt32, byteCount: UInt32)

    static let byteCount = 16
    /// Numbers from here on mark other records than blocks.
    static let firstMark: UInt32 = 0xFFFF_FF00
    private static let droppedMark = firstMark
    private static let lengthMark = firstMark + 1
    private static let completeMark = firstMark + 2
    private static let pieceMark = firstMark + 3

    /// Encodes the record, little-endian: block or mark, checksum, byte count, check value.
    ///
    /// A length takes the two middle fields.
    ///
    /// The check value covers the generation, so that a record of another journal is invalid in
    /// this one.
    func bytes(generation: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        let fields: [UInt32] =
            switch self {
            case .block(let number, let stored): [number, stored.checksum, stored.byteCount]
            case .dropped(let number): [Self.droppedMark, number, 0]
            case .length(let length):
                [
                    Self.lengthMark, UInt32(truncatingIfNeeded: length),
                    UInt32(truncatingIfNeeded: length >> 32),
                ]
            case .complete: [Self.completeMark, 0, 0]
            case .piece(let number, let byteCount): [Self.pieceMark, number, byteCount]
            }
        for field in fields { bytes.append(field) }
        bytes.append(Self.check(bytes, generation))
        return bytes
    }

    /// - Returns: nil for a torn record.
    init?(_ bytes: [UInt8], generation: Int64) {
        guard bytes.count == Self.byteCount,
            bytes.little(12, as: UInt32.self) == Self.check(Array(bytes[..<12]), generation)
        else { return nil }
        let number = bytes.little(0, as: UInt32.self)
        let (second, third) = (
            bytes.little(4, as: UInt32.self), bytes.little(8, as: UInt32.self)
        )
        switch number {
        case Self.droppedMark: self = .dropped(second)
        case Self.lengthMark:
            self = .length(Int64(bitPattern: UInt64(third) << 32 | UInt64(second)))
        case Self.completeMark: self = .complete
        case Self.pieceMark: self = .piece(second, byteCount: third)
        case Self.firstMark...: return nil
        default: self = .block(number, StoredBlock(checksum: second, byteCount: third))
        }
    }

    private static func check(_ bytes: [UInt8], _ generation: Int64) -> UInt32 {
        var seed: [UInt8] = []
        seed.append(UInt64(bitPattern: generation))
        return CRC32C.of(bytes, after: CRC32C.of(seed))
    }
}
