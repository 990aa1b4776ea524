internal import CTakeupOpenSSL

/// AES decryption with a 128-bit key in CBC mode.
///
/// - Note: Source: FIPS 197 and SP 800-38A, by OpenSSL.
public enum AES128 {
    public static let keyBytes = 16
    public static let vectorBytes = 16

    /// Decrypts all bytes at once and removes the PKCS #7 padding.
    ///
    /// - Parameters:
    ///   - bytes: Bytes encrypted in CBC mode.
    ///   - key: The key, `keyBytes` bytes.
    ///   - vector: The initialization vector, `vectorBytes` bytes.
    /// - Returns: nil if the length or the padding is wrong, for example because of a wrong key.
    /// - Throws: `DigestError.outOfMemory`.
    public static func decryptCBC(
        _ bytes: [UInt8], key: [UInt8], vector: [UInt8]
    ) throws(DigestError) -> [UInt8]? {
        precondition(
            key.count == keyBytes && vector.count == vectorBytes, "AES-128 needs 16 and 16")
        guard let context = EVP_CIPHER_CTX_new() else { throw .outOfMemory }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector) == 1 else {
            throw .outOfMemory
        }
        guard let count = Int32(exactly: bytes.count), !bytes.isEmpty else { return nil }
        var plain = [UInt8](repeating: 0, count: bytes.count + vectorBytes)
        var (most, rest): (Int32, Int32) = (0, 0)
        guard EVP_DecryptUpdate(context, &plain, &most, bytes, count) == 1 else { return nil }
        let isPadded = plain.withUnsafeMutableBytes { room in
            guard let end = room.bindMemory(to: UInt8.self).baseAddress else { return false }
            return EVP_DecryptFinal_ex(context, end + Int(most), &rest) == 1
        }
        guard isPadded else { return nil }
        plain.removeLast(plain.count - Int(most + rest))
        return plain
    }
}
