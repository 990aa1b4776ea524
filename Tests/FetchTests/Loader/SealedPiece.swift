import TakeupDigest
import TestSupport

/// Bytes that are encrypted with AES-128, and what they are; the padding is found by trial.
struct SealedPiece {
    static let key: [UInt8] = Array(0..<16)

    let sealed: [UInt8]
    let plain: [UInt8]

    // The content's length is a multiple of 16, at least 48.
    init(_ content: OriginContent, vector: [UInt8]) throws {
        var sealed = try LoaderTrial.bytes(content)
        var plain: [UInt8]?
        for last in 0...UInt8.max where plain == nil {
            sealed[sealed.count - 17] = last
            let end = Array(sealed.suffix(32))
            let before = Array(sealed.dropLast(32).suffix(16))
            guard try AES128.decryptCBC(end, key: Self.key, vector: before) != nil else { continue }
            plain = try AES128.decryptCBC(sealed, key: Self.key, vector: vector)
        }
        self.sealed = sealed
        self.plain = plain ?? []
    }
}
