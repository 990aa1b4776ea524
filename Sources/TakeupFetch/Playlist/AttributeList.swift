internal import TakeupFields

/// The attribute list `NAME=value,…` of a playlist tag.
///
/// - Note: Source: RFC 8216, 4.2.
struct AttributeList: Equatable {
    private(set) var values: [String: Value] = [:]
    /// Line number, for errors.
    let line: Int

    struct Value: Equatable {
        /// The value without its quotes.
        var text: String
        var isQuoted: Bool
    }

    init(_ text: some StringProtocol, line: Int) throws(PlaylistError) {
        self.line = line
        var rest = Substring(text).utf8
        while true {
            rest = Self.skippingSpaces(rest)
            if rest.isEmpty { break }
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
                throw fault("name without a value")
            }
            let name = rest[..<equals]
            let isName = name.allSatisfy {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
            guard isName, !name.isEmpty else { throw fault("not the name of an attribute") }
            rest = rest[equals...].dropFirst()
            let value = try Self.value(&rest, line: line)
            guard values.updateValue(value, forKey: String(Substring(name))) == nil else {
                throw fault("\(Substring(name)) twice")
            }
        }
    }

    private static func skippingSpaces(_ text: Substring.UTF8View) -> Substring.UTF8View {
        text.drop { $0 == UInt8(ascii: " ") }
    }

    /// Consumes one value and the comma after it.
    private static func value(
        _ rest: inout Substring.UTF8View, line: Int
    ) throws(PlaylistError) -> Value {
        let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
        let value: Value
        if rest.first == quote {
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: quote) else {
                throw .malformed(line: line, "a quote is not closed")
            }
            value = Value(text: String(Substring(rest[..<end])), isQuoted: true)
            rest = skippingSpaces(rest[end...].dropFirst())
        } else {
            let text = rest.prefix { $0 != comma }
            guard !text.contains(quote) else {
                throw .malformed(line: line, "a quote within a value")
            }
            value = Value(text: FieldText.trimmed(Substring(text)), isQuoted: false)
            rest = rest[text.endIndex...]
        }
        guard rest.isEmpty || rest.first == comma else {
            throw .malformed(line: line, "no comma after a value")
        }
        rest = rest.dropFirst()
        return value
    }

    func fault(_ words: String) -> PlaylistError {
        .malformed(line: line, words)
    }

    /// Returns a quoted string; nil if the attribute is missing.
    func quoted(_ name: String) throws(PlaylistError) -> String? {
        guard let value = values[name] else { return nil }
        guard value.isQuoted else { throw fault("\(name) without quotes") }
        return value.text
    }

    /// Returns a quoted string that must exist and not be empty.
    func requiredQuoted(_ name: String) throws(PlaylistError) -> String {
        guard let text = try quoted(name), !text.isEmpty else { throw fault("no \(name)") }
        return text
    }

    /// Returns a word without quotes; nil if the attribute is missing.
    func word(_ name: String) throws(PlaylistError) -> String? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted else { throw fault("\(name) in quotes") }
        return value.text
    }

    /// Returns whether the value is `YES`; a missing attribute counts as `NO`.
    func flag(_ name: String) throws(PlaylistError) -> Bool {
        switch try word(name) {
        case "YES": true
        case nil, "NO": false
        default: throw fault("\(name) is neither YES nor NO")
        }
    }

    /// Returns a whole number; nil if the attribute is missing.
    func number(_ name: String) throws(PlaylistError) -> Int64? {
        guard let text = try word(name) else { return nil }
        guard let number = FieldText.number(text) else { throw fault("\(name) is no number") }
        return number
    }

    /// Parses `width x height`, in pixels; nil if the attribute is missing.
    func resolution(_ name: String) throws(PlaylistError) -> (width: Int, height: Int)? {
        guard let text = try word(name) else { return nil }
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
            .compactMap { FieldText.number($0) }
        guard sides.count == 2, sides.allSatisfy({ (1...65_536).contains($0) }) else {
            throw fault("\(name) is no size")
        }
        return (Int(sides[0]), Int(sides[1]))
    }

    /// Parses `0x` and hexadecimal digits, padded with leading zeros; nil if the attribute is
    /// missing.
    func bytes(_ name: String, count: Int) throws(PlaylistError) -> [UInt8]? {
        guard let text = try word(name) else { return nil }
        let digits = text.dropFirst(2).utf8.compactMap {
            Character(Unicode.Scalar($0)).hexDigitValue
        }
        guard text.lowercased().hasPrefix("0x"), digits.count == text.utf8.count - 2,
            (1...2 * count).contains(digits.count)
        else { throw fault("\(name) is no hexadecimal number of \(count) bytes") }
        let padded = Array(repeating: 0, count: 2 * count - digits.count) + digits
        return stride(from: 0, to: padded.count, by: 2).map {
            UInt8(padded[$0] << 4 | padded[$0 + 1])
        }
    }
}
