/// Reads JSON from front to back and knows the line of every value.
///
/// Total over any bytes that are UTF-8; depth, the size of a job and the length of a number are bounded.
struct JSONCursor {
    /// What a kind of document permits.
    struct Form {
        var deepest = 16
        var longestNumber = 64
        /// The most bytes of one value, and what it is called.
        var longest = (bytes: BatchList.longestJob, name: "the job")
        /// Keys whose values are checked but not kept.
        var unread: Set<String> = []
        /// Whether `Infinity` and `NaN`, which JSON does not know, are read as null.
        var permitsInfinity = false
    }

    let form: Form
    let bytes: [UInt8]
    var position: Int
    private(set) var line: Int
    private var lineStart: Int
    /// Where reading ends for now: behind the bytes, or where a job would be too long.
    private var limit: Int
    /// What is wrong but does not keep anything from being read; no more than a list tells.
    private(set) var notes: [BatchFault] = []

    init(_ bytes: [UInt8], from position: Int = 0, line: Int = 1, form: Form = Form()) {
        self.form = form
        (self.bytes, self.position, self.line) = (bytes, position, line)
        (lineStart, limit) = (position, bytes.count)
    }

    /// The next byte; nil at the end.
    var next: UInt8? { position < limit ? bytes[position] : nil }

    func fault(_ reason: String, hint: String? = nil) -> BatchFault {
        if position >= limit {
            let reason =
                limit < bytes.count
                ? "\(form.longest.name) is longer than \(form.longest.bytes) bytes"
                : "it ends in the middle of a value"
            return BatchFault(line: line, column: position - lineStart + 1, reason: reason)
        }
        return BatchFault(
            line: line, column: position - lineStart + 1, reason: reason, hint: hint)
    }

    mutating func skipSpace() {
        while let byte = next {
            switch byte {
            case 0x20, 0x09, 0x0D: position += 1
            case 0x0A:
                position += 1
                line += 1
                lineStart = position
            default: return
            }
        }
    }

    /// Goes to the end of the line, whatever stands there, after a job that cannot be read.
    mutating func skipLine() {
        limit = bytes.count
        while let byte = next, byte != 0x0A { position += 1 }
    }

    private mutating func note(_ fault: BatchFault) {
        if notes.count < FaultList.most { notes.append(fault) }
    }

    /// Takes the comma before another element or member; one that is missing, or that nothing follows, is noted.
    private mutating func takeComma(before starts: StaticString, orEnd end: UInt8) -> Bool {
        let isThere = take(",")
        skipSpace()
        guard let byte = next else { return isThere }
        if isThere {
            guard byte == end else { return true }
            note(fault("nothing follows the comma", hint: "take the comma away"))
            return false
        }
        guard starts.withUTF8Buffer({ $0.contains(byte) }) else { return false }
        note(fault("a comma is missing before this"))
        return true
    }

    /// Whether only space is left.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return position >= bytes.count
    }

    /// Takes `byte` if it is the next one behind any space.
    mutating func take(_ byte: Character) -> Bool {
        skipSpace()
        guard next == byte.asciiValue else { return false }
        position += 1
        return true
    }

    /// Reads one value, of at most as many bytes as the form permits.
    mutating func job() throws(BatchFault) -> JSONElement {
        skipSpace()
        limit = min(bytes.count, position + form.longest.bytes)
        let element = try element(depth: 0)
        limit = bytes.count
        return element
    }

    /// Reads `[…]`, whose opening bracket is the next byte, and hands over each place of an element.
    mutating func elements(
        _ read: (inout JSONCursor) throws(BatchFault) -> Void
    ) throws(BatchFault) {
        guard take("[") else { throw fault("a list in [ ] is expected here") }
        if take("]") { return }
        repeat {
            try read(&self)
        } while takeComma(before: "{[\"", orEnd: UInt8(ascii: "]"))
        guard take("]") else { throw fault("a comma or ] is expected here") }
    }

    /// Reads `{…}`, whose opening brace is the next byte, and hands over each key and its value's place.
    mutating func members(
        _ read: (String, inout JSONCursor) throws(BatchFault) -> Void
    ) throws(BatchFault) {
        guard take("{") else { throw fault("an object in { } is expected here") }
        if take("}") { return }
        var keys: Set<String> = []
        repeat {
            skipSpace()
            let place = self
            let key = try string()
            if !keys.insert(key).inserted {
                note(place.fault("the key \(QuotedWord(key)) comes twice"))
            }
            guard take(":") else { throw fault("a colon is expected here") }
            try read(key, &self)
        } while takeComma(before: "\"", orEnd: UInt8(ascii: "}"))
        guard take("}") else { throw fault("a comma or } is expected here") }
    }

    private mutating func element(depth: Int) throws(BatchFault) -> JSONElement {
        skipSpace()
        guard depth < form.deepest else { throw fault("values are nested too deeply") }
        let line = line
        return JSONElement(value: try value(depth: depth), line: line)
    }

    private mutating func value(depth: Int) throws(BatchFault) -> JSONElement.Value {
        switch next {
        case UInt8(ascii: "{"):
            var members: [JSONElement.Member] = []
            try self.members { (key, cursor) throws(BatchFault) in
                let element = try cursor.element(depth: depth + 1)
                guard !cursor.form.unread.contains(key) else { return }
                members.append(JSONElement.Member(key: key, element: element))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONElement] = []
            try self.elements { cursor throws(BatchFault) in
                elements.append(try cursor.element(depth: depth + 1))
            }
            return .list(elements)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "N"), UInt8(ascii: "I"): return try infinity()
        case UInt8(ascii: "-") where follows("-I"):
            position += 1
            return try infinity()
        default: return .number(try number())
        }
    }

    private mutating func infinity() throws(BatchFault) -> JSONElement.Value {
        guard form.permitsInfinity else { throw fault("a value is expected here") }
        if follows("Infinity") { return try word("Infinity", .null) }
        return try word(next == UInt8(ascii: "N") ? "NaN" : "Inf", .null)
    }

    private func follows(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        return end <= limit
            && bytes[position..<end].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONElement.Value
    ) throws(BatchFault) -> JSONElement.Value {
        guard follows(word) else { throw fault("a value is expected here") }
        position += word.utf8CodeUnitCount
        return value
    }
}
