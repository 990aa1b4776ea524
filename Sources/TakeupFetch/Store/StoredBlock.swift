internal import TakeupFiles

/// Checksum and size of a block when it was committed.
struct StoredBlock: Equatable {
    /// The CRC-32C of the block's bytes.
    var checksum: UInt32
    /// Size in bytes; less than a whole block only for the source's last block.
    var byteCount: UInt32
}

extension StoredBlock {
    init(_ bytes: [UInt8]) {
        self.init(checksum: CRC32C.of(bytes), byteCount: UInt32(bytes.count))
    }
}
