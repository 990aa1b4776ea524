internal import CTakeupOpenSSL
internal import Foundation

/// The SHA-256 of bytes.
///
/// - Note: Source: FIPS 180-4, by OpenSSL.
public enum SHA256Digest {
    /// Read at once, in bytes.
    private static let blockBytes = 1 << 20

    /// Hashes an open file from its first to its last byte.
    ///
    /// - Parameters:
    ///   - descriptor: Open for reading; its position is not used.
    ///   - isStopped: Asked once a block; `true` ends the work.
    /// - Returns: 64 lower-case hexadecimal digits; nil when it was stopped.
    /// - Throws: `DigestError` when the file cannot be read.
    public static func ofFile(
        _ descriptor: Int32, isStopped: () -> Bool
    ) throws(DigestError) -> String? {
        guard let context = EVP_MD_CTX_new() else { throw .outOfMemory }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw .outOfMemory }
        var block = [UInt8](repeating: 0, count: blockBytes)
        var offset: Int64 = 0
        while !isStopped() {
            let count = block.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, blockBytes, off_t(offset))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(errno: errno)
            }
            if count == 0 { return finish(context) }
            _ = block.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, count) }
            offset += Int64(count)
        }
        return nil
    }

    private static func finish(_ context: OpaquePointer) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &bytes, nil)
        return bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}

extension SHA256Digest {
    /// Hashes text as UTF-8.
    ///
    /// - Returns: 64 lower-case hexadecimal digits.
    /// - Throws: `DigestError.outOfMemory`.
    public static func of(_ text: String) throws(DigestError) -> String {
        guard let context = EVP_MD_CTX_new() else { throw .outOfMemory }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw .outOfMemory }
        let bytes = Array(text.utf8)
        EVP_DigestUpdate(context, bytes, bytes.count)
        return finish(context)
    }
}
