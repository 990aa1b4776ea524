/// The kind of a text according to its first bytes.
enum TextSignature: Equatable {
    case playlist
    /// An HTML page.
    case page
    /// Another text; the string names it for a refusal.
    case text(String)

    /// - Returns: nil if the bytes are not text.
    init?(_ prefix: [UInt8]) {
        if Self.isUTF16(prefix) {
            self = .text("a text in UTF-16")
            return
        }
        let hasMark = prefix.starts(with: [0xEF, 0xBB, 0xBF])
        let bytes = prefix.dropFirst(hasMark ? 3 : 0).drop { [9, 10, 12, 13, 32].contains($0) }
        if bytes.starts(with: "#EXTM3U".utf8) {
            self = .playlist
        } else if bytes.first == UInt8(ascii: "<"), Self.beginsTag(bytes.dropFirst().first) {
            let start = String(decoding: bytes.prefix(64), as: UTF8.self).lowercased()
            let isPage = ["<!doctype html", "<html", "<head", "<body", "<script"]
                .contains { start.hasPrefix($0) }
            self = isPage ? .page : .text("an XML or HTML document")
        } else if Self.isText(prefix) {
            let isJSON = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[")
            self = .text(isJSON ? "a JSON document" : "a plain text")
        } else {
            return nil
        }
    }

    /// Returns whether a byte after `<` begins a tag: a letter, `!`, `?` or `/`.
    private static func beginsTag(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return "!?/".utf8.contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }

    /// Returns whether a byte order mark is followed by letters in UTF-16.
    static func isUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return false }
        return switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE): bytes[2] != 0 && bytes[3] == 0
        case (0xFE, 0xFF): bytes[2] == 0 && bytes[3] != 0
        default: false
        }
    }

    /// Returns whether the bytes are UTF-8 without control characters; the prefix may cut off the
    /// last character.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        let controls = bytes.contains { $0 < 0x20 && ![9, 10, 12, 13, 27].contains($0) }
        guard !controls, !bytes.contains(0x7F) else { return false }
        return (0...min(3, bytes.count)).contains { cut in
            String(validating: bytes.dropLast(cut), as: UTF8.self) != nil
        }
    }
}
