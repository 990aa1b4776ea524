extension JSONCursor {
    /// Reads a number as it is written, in the form that JSON allows.
    mutating func number() throws(BatchFault) -> String {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let whole = digits()
        guard whole > 0 else { throw fault("a value is expected here") }
        let hasZero = bytes[position - whole] == UInt8(ascii: "0") && whole > 1
        if next == UInt8(ascii: ".") {
            position += 1
            guard digits() > 0 else { throw fault("a digit is expected here") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { position += 1 }
            guard digits() > 0 else { throw fault("a digit is expected here") }
        }
        guard !hasZero, position - start <= form.longestNumber else {
            throw BatchFault(line: line, reason: "this is no number that JSON allows")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        return position - start
    }

    /// Reads a string in quotes.
    mutating func string() throws(BatchFault) -> String {
        guard next == UInt8(ascii: "\"") else { throw fault("a text in \" \" is expected here") }
        position += 1
        var text: [UInt8] = []
        var start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[start..<position]
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += bytes[start..<position]
                try escape(into: &text)
                start = position
            case 0..<0x20:
                throw fault("a text holds a control character", hint: "write it as \\n or \\u00XX")
            default: position += 1
            }
        }
        throw fault("the text has no end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(BatchFault) {
        position += 1
        guard let letter = next else { throw fault("the text has no end") }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            text += String(Character(try unicodeScalar())).utf8
        default:
            position -= 1
            throw fault("there is no such escape")
        }
    }

    /// Reads the four digits behind `\u`, and the second half of a pair.
    private mutating func unicodeScalar() throws(BatchFault) -> Unicode.Scalar {
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let isPair =
            unit < 0xDC00 && position + 1 < bytes.count && next == UInt8(ascii: "\\")
            && bytes[position + 1] == UInt8(ascii: "u")
        guard isPair else { throw fault("half of a surrogate pair stands alone") }
        position += 2
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(
                0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(second - 0xDC00))
        else { throw fault("half of a surrogate pair stands alone") }
        return scalar
    }

    private mutating func codeUnit() throws(BatchFault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let digit = next.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard let digit else { throw fault("four hexadecimal digits are expected here") }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
