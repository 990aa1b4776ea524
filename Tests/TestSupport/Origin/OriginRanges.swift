/// What a `Range` field asks of a length.
enum OriginRanges: Equatable {
    /// Nothing that must be heard: no field, another unit, or not well formed.
    case whole
    /// These, in the order asked, each with at least one byte.
    case some([Range<Int64>])
    /// None of the ranges has a byte.
    case unsatisfiable

    /// Reads a field.
    ///
    /// - Note: Source: RFC 9110, 14.1 and 14.2.
    init(_ field: String?, length: Int64) {
        guard let field, let equals = field.firstIndex(of: "="),
            field[..<equals].lowercased() == "bytes"
        else {
            self = .whole
            return
        }
        var found: [Range<Int64>] = []
        for text in field[field.index(after: equals)...].split(separator: ",") {
            guard let range = Self.range(text.filter { $0 != " " && $0 != "\t" }, length) else {
                self = .whole
                return
            }
            if !range.isEmpty { found.append(range) }
        }
        let isEmpty = field.index(after: equals) == field.endIndex
        self = isEmpty ? .whole : found.isEmpty ? .unsatisfiable : .some(found)
    }

    /// One range, empty when no byte is in it; nil when it is not well formed.
    private static func range(_ text: String, _ length: Int64) -> Range<Int64>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (number(ends[0]), number(ends[1])) {
        case (let first?, let last?):
            guard last >= first else { return nil }
            return clamped(first, last == .max ? .max : last + 1, length)
        case (let first?, nil):
            return ends[1].isEmpty ? clamped(first, length, length) : nil
        case (nil, let count?):
            return ends[0].isEmpty ? max(0, length - count)..<length : nil
        case (nil, nil):
            return nil
        }
    }

    private static func clamped(_ first: Int64, _ end: Int64, _ length: Int64) -> Range<Int64> {
        first < length ? first..<min(end, length) : length..<length
    }

    /// Digits only; more than fit are as many as fit.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text) ?? .max
    }
}
