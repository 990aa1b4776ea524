internal import Foundation
internal import TakeupDigest

extension S3Upload {
    /// The hashes of a part of the file.
    func sums(
        _ offset: Int64, _ count: Int64
    ) throws(S3Error) -> (sha256: String, md5: String?) {
        let md5 = RunningDigest(.md5)
        guard let sha256 = RunningDigest(.sha256) else {
            throw failure(.file(errno: ENOMEM), .write)
        }
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var done: Int64 = 0
        while done < count {
            let wanted = min(block.count, Int(count - done))
            let read = pread(descriptor, &block, wanted, off_t(offset + done))
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw failure(.file(errno: read < 0 ? errno : EIO), .write) }
            block.withUnsafeBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes[..<read])
                sha256.update(part)
                md5?.update(part)
            }
            done += Int64(read)
        }
        return (sha256.finish(), md5?.finish())
    }
}
