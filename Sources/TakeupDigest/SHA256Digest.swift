internal import CTakeupOpenSSL

/// The SHA-256 of a complete file or text.
///
/// - Note: Source: FIPS 180-4, by OpenSSL.
public enum SHA256Digest {
    /// Hashes an open file from its first to its last byte.
    ///
    /// - Parameters:
    ///   - descriptor: Open for reading; its position is not used.
    ///   - isStopped: Polled once per block; `true` stops the work.
    /// - Returns: 64 lower-case hexadecimal digits; nil if stopped.
    /// - Throws: `DigestError` if the file cannot be read.
    public static func ofFile(
        _ descriptor: Int32, isStopped: () -> Bool
    ) throws(DigestError) -> String? {
        guard let digest = RunningDigest(.sha256) else { throw .outOfMemory }
        return try digest.finish(descriptor, isStopped: isStopped)
    }

    /// Hashes text as UTF-8.
    ///
    /// - Returns: 64 lower-case hexadecimal digits.
    public static func of(_ text: String) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = Array(text.utf8)
        takeup_sha256(bytes, bytes.count, &digest)
        return RunningDigest.digits(digest)
    }
}
