/// The file's name in a `Content-Disposition`.
///
/// - Note: Source: RFC 6266 and RFC 8187.
enum DispositionName {
    /// - Returns: nil where there is none, or one that cannot be read.
    static func of(_ field: String?) -> String? {
        guard let field else { return nil }
        var plain: String?
        for part in parts(field).dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { continue }
            let value = trimmed(sides[1])
            switch trimmed(sides[0]).lowercased() {
            case "filename*":
                let pieces = value.split(separator: "'", omittingEmptySubsequences: false)
                guard pieces.count == 3, pieces[0].lowercased() == "utf-8" else { continue }
                if let name = PercentText.decoded(pieces[2]) { return name }
            case "filename": plain = unquoted(value)
            default: continue
            }
        }
        return plain
    }

    /// Parted at semicolons that no quotes hold.
    private static func parts(_ field: String) -> [Substring] {
        var (parts, start, isQuoted, isEscaped): ([Substring], String.Index, Bool, Bool) = (
            [], field.startIndex, false, false
        )
        for index in field.unicodeScalars.indices {
            switch field.unicodeScalars[index] {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted:
                parts.append(field[start..<index])
                start = field.unicodeScalars.index(after: index)
            default: continue
            }
        }
        return parts + [field[start...]]
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func unquoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return text }
        var (name, isEscaped) = (String.UnicodeScalarView(), false)
        for scalar in scalars.dropFirst().dropLast() {
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                name.append(scalar)
                isEscaped = false
            }
        }
        return String(name)
    }
}
