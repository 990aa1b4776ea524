/// Takeup's SQL in PostgreSQL's words: `$1` for `?1`, no index hints, `strpos` for `instr`.
package enum PostgresText {
    /// Turns one statement into the server's words.
    package static func translated(_ sql: String) -> String {
        var (text, number, isQuoted) = ("", 0, false)
        var rest = Substring(
            sql.replacing(/\ INDEXED BY [a-z_]+/, with: "").replacing("instr(", with: "strpos("))
        while let character = rest.popFirst() {
            if character == "'" { isQuoted.toggle() }
            guard character == "?", !isQuoted else {
                text.append(character)
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[digits.endIndex...]
            number = Int(digits) ?? number + 1
            text += "$\(number)"
        }
        return text
    }
}
