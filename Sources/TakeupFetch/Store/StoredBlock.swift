internal import TakeupFiles

/// What a block's bytes were when they were committed.
struct StoredBlock: Equatable {
    /// CRC-32C.
    var checksum: UInt32
    /// Less than a whole block for a source's last one only.
    var byteCount: UInt32
}

extension StoredBlock {
    init(_ bytes: [UInt8]) {
        self.init(checksum: CRC32C.of(bytes), byteCount: UInt32(bytes.count))
    }
}
