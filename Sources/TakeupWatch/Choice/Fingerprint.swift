internal import Foundation
internal import TakeupDigest
internal import TakeupFiles

/// What tells a file's content from another without reading all of it.
///
/// The SHA-256 of the size, both ends and eight places between. Files that differ elsewhere only, at
/// equal size, have the same one: for what must not be taken for another, compare a digest of all.
public enum Fingerprint {
    /// Part of what is hashed: fingerprints of other versions are never equal.
    public static let version = 1
    private static let endBytes: Int64 = 1 << 20
    private static let blockBytes: Int64 = 64 << 10
    private static let blockCount: Int64 = 8

    /// The fingerprint of an open file.
    ///
    /// - Parameters:
    ///   - descriptor: Open for reading; its position is not used.
    ///   - path: For messages.
    /// - Returns: 64 lower-case hexadecimal digits; nil for what is no regular file, and when the file
    ///   changed meanwhile.
    /// - Throws: `WatchError.failed` when it cannot be read.
    public static func ofFile(_ descriptor: Int32, path: String) throws(WatchError) -> String? {
        guard let before = FileIdentity(descriptor: descriptor) else { return nil }
        guard let digest = RunningDigest(.sha256) else { throw .failed(path: path, errno: ENOMEM) }
        digest.update(Array("takeup fingerprint \(version)\n\(before.bytes) bytes\n".utf8))
        for part in parts(of: before.bytes) {
            guard try add(part, of: descriptor, path, to: digest) else { return nil }
        }
        var looks = 0
        let digits: String?
        do {
            // Nothing is left to be read at the end, unless the file is growing.
            digits = try digest.finish(descriptor, from: before.bytes) {
                looks += 1
                return looks > 1
            }
        } catch {
            throw .failed(path: path, errno: errno)
        }
        return FileIdentity(descriptor: descriptor) == before ? digits : nil
    }

    /// Which bytes of a file are hashed, in order: all of it up to the sum of the parts.
    static func parts(of bytes: Int64) -> [Range<Int64>] {
        guard bytes > 2 * endBytes + blockCount * blockBytes else {
            return stride(from: 0, to: bytes, by: Int(endBytes)).map {
                $0..<min($0 + endBytes, bytes)
            }
        }
        let share = (bytes - 2 * endBytes) / blockCount
        let blocks = (0..<blockCount).map { number in
            let start = endBytes + number * share + (share - blockBytes) / 2
            return start..<(start + blockBytes)
        }
        return [0..<endBytes] + blocks + [(bytes - endBytes)..<bytes]
    }

    /// - Returns: `false` when the file ended before the part did.
    private static func add(
        _ part: Range<Int64>, of descriptor: Int32, _ path: String, to digest: RunningDigest
    ) throws(WatchError) -> Bool {
        var bytes = [UInt8](repeating: 0, count: part.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { room in
                pread(
                    descriptor, room.baseAddress?.advanced(by: done), room.count - done,
                    off_t(part.lowerBound) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed(path: path, errno: errno) }
            guard count > 0 else { return false }
            done += count
        }
        digest.update(bytes)
        return true
    }
}
