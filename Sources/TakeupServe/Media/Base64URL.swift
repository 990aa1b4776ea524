internal import Foundation

/// Base64 in the alphabet of addresses, without padding.
///
/// - Note: Source: RFC 4648, section 5.
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Foundation's is too slow for the thousands of addresses of a playlist.
    static func text(_ bytes: [UInt8]) -> String {
        let count = (bytes.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: count) { room in
            var place = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                var group: UInt32 = 0
                for offset in 0..<3 {
                    let byte = start + offset < bytes.count ? bytes[start + offset] : 0
                    group = group << 8 | UInt32(byte)
                }
                var shift: UInt32 = 18
                for _ in 0..<min(4, count - place) {
                    room.initializeElement(at: place, to: alphabet[Int(group >> shift & 63)])
                    place += 1
                    shift &-= 6
                }
            }
            return count
        }
    }

    /// - Returns: nil for anything that `text` does not write.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, text.utf8.count % 4 != 1 else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: plain) else { return nil }
        let bytes = [UInt8](data)
        // Unused bits say nothing: one signature has one text.
        return Self.text(bytes) == text ? bytes : nil
    }
}
