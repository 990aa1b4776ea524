internal import CTakeupOpenSSL

/// A SHA-256 that only who knows a key can make or check.
///
/// - Note: Source: RFC 2104 and FIPS 198-1, by OpenSSL.
public enum HMACSHA256 {
    public static let byteCount = 32

    /// Signs bytes that are all there.
    ///
    /// - Parameters:
    ///   - bytes: What is signed.
    ///   - key: Of any length; more than 64 bytes give no more safety.
    /// - Returns: `byteCount` bytes.
    /// - Throws: `DigestError.outOfMemory`.
    public static func of(_ bytes: [UInt8], key: [UInt8]) throws(DigestError) -> [UInt8] {
        guard let keyBytes = Int32(exactly: key.count) else { throw .outOfMemory }
        var code = [UInt8](repeating: 0, count: byteCount)
        var length: UInt32 = 0
        // OpenSSL takes no key to mean the one of the last call, which there is none of here.
        let made = (key.isEmpty ? [0] : key).withUnsafeBytes { key in
            HMAC(
                EVP_sha256(), key.baseAddress, keyBytes, bytes, bytes.count, &code, &length)
        }
        guard made != nil, Int(length) == byteCount else { throw .outOfMemory }
        return code
    }
}
