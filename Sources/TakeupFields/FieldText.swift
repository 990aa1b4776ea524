/// Parses the small pieces of grammar that header fields share.
public enum FieldText {
    /// Returns the text without spaces and tabs at both ends.
    public static func trimmed(_ text: some StringProtocol) -> String {
        let isInk: (UInt8) -> Bool = { $0 != 0x20 && $0 != 0x09 }
        let bytes = Substring(text).utf8
        guard let first = bytes.firstIndex(where: isInk), let last = bytes.lastIndex(where: isInk)
        else { return "" }
        return String(Substring(bytes[first...last]))
    }

    /// Parses a number that consists of ASCII digits only.
    ///
    /// - Returns: nil for anything else, and for a number that does not fit in 63 bits.
    public static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
