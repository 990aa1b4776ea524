internal import CTakeupOpenSSL
internal import Foundation

/// A SHA-256 of bytes that come piece by piece.
///
/// - Note: Source: FIPS 180-4, by OpenSSL.
public final class RunningSHA256 {
    /// Read at once, in bytes.
    private static let blockBytes = 1 << 20

    private let context: OpaquePointer

    /// - Returns: nil when there is no memory.
    public init?() {
        guard let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Goes on with bytes.
    public func update(_ bytes: [UInt8]) {
        EVP_DigestUpdate(context, bytes, bytes.count)
    }

    /// Hashes the rest of an open file, and ends; nothing can follow.
    ///
    /// - Parameters:
    ///   - descriptor: Open for reading; its position is not used.
    ///   - start: Where to go on.
    ///   - isStopped: Asked once a block; `true` ends the work.
    /// - Returns: 64 lower-case hexadecimal digits; nil when it was stopped.
    /// - Throws: `DigestError` when the file cannot be read.
    public func finish(
        _ descriptor: Int32, from start: Int64 = 0, isStopped: () -> Bool = { false }
    ) throws(DigestError) -> String? {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        var offset = start
        while !isStopped() {
            let count = block.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, Self.blockBytes, off_t(offset))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(errno: errno)
            }
            if count == 0 { return finish() }
            _ = block.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, count) }
            offset += Int64(count)
        }
        return nil
    }

    /// The digits of everything until now; nothing can follow.
    func finish() -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &bytes, nil)
        return bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
