internal import Foundation

/// Digests as header fields of object stores write them.
enum Base64 {
    /// Converts hexadecimal digits; nil for anything else.
    static func ofDigits(_ digits: String) -> String? {
        bytes(digits).map { Data($0).base64EncodedString() }
    }

    /// The bytes of hexadecimal digits; nil for anything else.
    static func bytes(_ digits: String) -> [UInt8]? {
        let characters = Array(digits)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: characters.count, by: 2) {
            guard let byte = UInt8(String(characters[place...(place + 1)]), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
