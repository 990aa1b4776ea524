internal import TakeupFiles

/// The header of a journal: the version that its records belong to.
struct JournalHeader: Equatable {
    static let magic = Array("TAKEUPBJ".utf8)
    static let format: UInt32 = 1
    /// Size of the header without the validator, in bytes.
    private static let fixedBytes = 48

    var generation: Int64
    /// Time of creation, in seconds since 1970.
    var createdAt: Double
    var version: SourceVersion?

    /// The little-endian encoding of the fields in this order: magic, format, block bytes,
    /// generation, creation time, length, validator's byte count, validator, checksum.
    ///
    /// A length of -1 is unknown; a byte count of all ones means no version.
    var bytes: [UInt8] {
        let validator = version.map { Array($0.validator.utf8) }
        var bytes = Self.magic
        bytes.append(Self.format)
        bytes.append(UInt32(BlockMap.blockBytes))
        bytes.append(UInt64(bitPattern: generation))
        bytes.append(createdAt.bitPattern)
        bytes.append(UInt64(bitPattern: version?.length ?? -1))
        bytes.append(validator.map { UInt32($0.count) } ?? .max)
        bytes += validator ?? []
        bytes.append(CRC32C.of(bytes))
        return bytes
    }

    /// - Returns: nil if the bytes are not a journal header of this format.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.fixedBytes, bytes.starts(with: Self.magic),
            bytes.little(8, as: UInt32.self) == Self.format,
            bytes.little(12, as: UInt32.self) == BlockMap.blockBytes
        else { return nil }
        let count = bytes.little(40, as: UInt32.self)
        let validatorBytes = count == .max ? 0 : Int(count)
        let end = Self.fixedBytes - 4 + validatorBytes
        guard validatorBytes <= SourceVersion.mostValidatorBytes, bytes.count >= end + 4,
            bytes.little(end, as: UInt32.self) == CRC32C.of(Array(bytes[..<end]))
        else { return nil }
        generation = Int64(bitPattern: bytes.little(16, as: UInt64.self))
        createdAt = Double(bitPattern: bytes.little(24, as: UInt64.self))
        guard count != .max else { return }
        let length = Int64(bitPattern: bytes.little(32, as: UInt64.self))
        version = SourceVersion(
            validator: String(decoding: bytes[(Self.fixedBytes - 4)..<end], as: UTF8.self),
            length: length < 0 ? nil : length)
    }

    init(generation: Int64, createdAt: Double, version: SourceVersion? = nil) {
        (self.generation, self.createdAt) = (generation, createdAt)
        self.version = version
    }

    /// Size of the header, in bytes.
    var byteCount: Int { Self.fixedBytes + (version?.validator.utf8.count ?? 0) }
}
