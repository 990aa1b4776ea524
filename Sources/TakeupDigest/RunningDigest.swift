internal import CTakeupOpenSSL
internal import Foundation
internal import TakeupFiles

/// Computes a digest of bytes that arrive in chunks.
///
/// - Note: Source: FIPS 180-4 and RFC 1321, by OpenSSL; RFC 3720, appendix B.4.
public final class RunningDigest {
    /// Size of one read, in bytes.
    private static let blockBytes = 1 << 20

    private enum Sum {
        case openSSL(OpaquePointer)
        case crc32c(UInt32)
    }

    private let algorithm: DigestAlgorithm
    private var sum: Sum

    /// - Returns: nil if there is no memory, or if OpenSSL may not use the algorithm on this
    ///   system.
    public init?(_ algorithm: DigestAlgorithm) {
        let method: OpaquePointer?
        switch algorithm {
        case .sha256: method = EVP_sha256()
        case .sha512: method = EVP_sha512()
        case .md5: method = EVP_md5()
        case .sha1: method = EVP_sha1()
        case .crc32c:
            (self.algorithm, sum) = (algorithm, .crc32c(0))
            return
        }
        guard let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex(context, method, nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        (self.algorithm, sum) = (algorithm, .openSSL(context))
    }

    deinit {
        if case .openSSL(let context) = sum { EVP_MD_CTX_free(context) }
    }

    /// Adds bytes to the digest.
    public func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds bytes to the digest.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        switch sum {
        case .openSSL(let context): EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        case .crc32c(let before): sum = .crc32c(CRC32C.of(bytes, after: before))
        }
    }

    /// Adds the rest of an open file and finishes the digest; no more bytes can follow.
    ///
    /// - Parameters:
    ///   - descriptor: Open for reading; its position is not used.
    ///   - start: Offset at which to continue.
    ///   - isStopped: Polled once per block; `true` stops the work.
    /// - Returns: Lower-case hexadecimal digits, two for each byte; nil if stopped.
    /// - Throws: `DigestError` if the file cannot be read.
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
            block.withUnsafeBytes { update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += Int64(count)
        }
        return nil
    }

    /// Finishes the digest and returns its digits; no more bytes can follow.
    public func finish() -> String {
        switch sum {
        case .openSSL(let context):
            var bytes = [UInt8](repeating: 0, count: algorithm.byteCount)
            EVP_DigestFinal_ex(context, &bytes, nil)
            return Self.digits(bytes)
        case .crc32c(let sum):
            return Self.digits(withUnsafeBytes(of: sum.bigEndian) { Array($0) })
        }
    }

    /// Formats bytes as lower-case hexadecimal digits.
    public static func digits(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
