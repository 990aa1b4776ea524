/// The names of uploads: ids that the server chooses, and file names that clients choose.
public enum UploadName {
    /// Digits of an id.
    public static let idDigits = 32
    /// The longest name of a file, in bytes; leaves room in the 255 of a file system.
    private static let longestStem = 120
    private static let longestExtension = 8

    /// Whether a text has the form of an id.
    public static func isID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == idDigits
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// A name that a file may have, from one that a client gave.
    ///
    /// - Returns: Without separators, control characters and leading dots; its extension is at most 8 of a–z and 0–9.
    public static func safe(_ text: String) -> String {
        // Scalars, not characters: in Swift, a slash and a following mark are one character.
        let scalars = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
                .unassigned:
                false
            default: true
            }
        }
        let last = scalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        let name = String(
            String.UnicodeScalarView(last).drop { $0 == "." || $0 == "-" || $0 == " " || $0 == "~" }
        )
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return cut(name)
        }
        let suffix = name[name.utf8.index(after: dot)...].lowercased()
        let isPlain =
            (1...longestExtension).contains(suffix.utf8.count)
            && suffix.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
        return isPlain ? "\(cut(String(name[..<dot]))).\(suffix)" : cut(name)
    }

    /// Cuts a name at a scalar.
    private static func cut(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        var bytes = 0
        for scalar in name.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= longestStem else { break }
            scalars.append(scalar)
        }
        return scalars.isEmpty ? "upload" : String(scalars)
    }
}
