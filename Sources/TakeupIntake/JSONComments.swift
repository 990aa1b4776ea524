/// JSON as people write settings: with `//` and `/* */` comments, and a comma behind the last value.
public enum JSONComments {
    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    private static let (slash, star, newline) = (
        UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\n")
    )
    private static let blank = UInt8(ascii: " ")

    /// The same text as plain JSON, with blanks in place of the rest: every byte keeps its line.
    ///
    /// A comment without an end stays, and is then no JSON.
    public static func blanked(_ text: [UInt8]) -> [UInt8] {
        var bytes = text
        var place = 0
        // Where a comma is that nothing has followed yet.
        var comma: Int?
        while place < bytes.count {
            switch bytes[place] {
            case quote:
                comma = nil
                place = endOfText(in: bytes, from: place)
            case slash:
                guard let end = endOfComment(in: bytes, from: place) else { return bytes }
                for index in place..<end where bytes[index] != newline { bytes[index] = blank }
                place = end
            case UInt8(ascii: ","):
                comma = place
                place += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma { bytes[comma] = blank }
                comma = nil
                place += 1
            case blank, newline, UInt8(ascii: "\t"), UInt8(ascii: "\r"): place += 1
            default:
                comma = nil
                place += 1
            }
        }
        return bytes
    }

    /// Behind the closing quote, or at the end.
    private static func endOfText(in bytes: [UInt8], from start: Int) -> Int {
        var place = start + 1
        while place < bytes.count, bytes[place] != quote {
            place += bytes[place] == backslash ? 2 : 1
        }
        return min(place + 1, bytes.count)
    }

    /// - Returns: nil for what is no comment, or has no end.
    private static func endOfComment(in bytes: [UInt8], from start: Int) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        let rest = bytes[(start + 2)...]
        switch bytes[start + 1] {
        case slash: return rest.firstIndex(of: newline) ?? bytes.count
        case star:
            return rest.indices.dropFirst().first {
                bytes[$0] == slash && bytes[$0 - 1] == star
            }.map { $0 + 1 }
        default: return nil
        }
    }
}
