/// The words of a command line, from the bytes that the system hands over.
enum ArgumentWords {
    /// - Throws: For a word that is not UTF-8: repaired it would name another file.
    static func decode(_ words: [[UInt8]]) throws(UsageError) -> [String] {
        var decoded: [String] = []
        for word in words {
            guard let text = String(validating: word, as: UTF8.self) else {
                let shown = word.map { byte in
                    (0x20..<0x7F).contains(byte)
                        ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16)
                }
                throw UsageError(
                    "the name is not UTF-8: \(shown.joined())",
                    hint: "rename the file; names in lists, databases and JSON are UTF-8 alone")
            }
            decoded.append(text)
        }
        return decoded
    }
}
