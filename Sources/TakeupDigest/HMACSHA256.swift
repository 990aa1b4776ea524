internal import CTakeupOpenSSL

/// A SHA-256 code that only the owner of a key can create or check.
///
/// - Note: Source: RFC 2104 and FIPS 198-1, by OpenSSL.
public enum HMACSHA256 {
    public static let byteCount = 32

    /// Signs bytes that are completely in memory.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to sign.
    ///   - key: A key of any length; more than 64 bytes add no security.
    /// - Returns: The code, `byteCount` bytes.
    /// - Throws: `DigestError.outOfMemory`.
    public static func of(_ bytes: [UInt8], key: [UInt8]) throws(DigestError) -> [UInt8] {
        guard let keyBytes = Int32(exactly: key.count) else { throw .outOfMemory }
        var code = [UInt8](repeating: 0, count: byteCount)
        var length: UInt32 = 0
        // OpenSSL takes a missing key for the key of the previous call, and here is no previous
        // call.
        let made = (key.isEmpty ? [0] : key).withUnsafeBytes { key in
            HMAC(
                EVP_sha256(), key.baseAddress, keyBytes, bytes, bytes.count, &code, &length)
        }
        guard made != nil, Int(length) == byteCount else { throw .outOfMemory }
        return code
    }
}
