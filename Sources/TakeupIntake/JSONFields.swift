/// A small JSON object with known members, as a program sends it.
///
/// Unknown members, members that come twice, and texts that are no UTF-8 are refused.
public struct JSONFields: Sendable {
    private let members: [String: JSONElement]

    /// - Parameters:
    ///   - bytes: The document; an empty one is an object without members.
    ///   - names: The members that there may be.
    /// - Throws: What is wrong with its form.
    public init(parsing bytes: [UInt8], known names: [String]) throws(BatchFault) {
        guard !bytes.isEmpty else {
            members = [:]
            return
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw BatchFault(line: nil, reason: "the document is not encoded in UTF-8")
        }
        var cursor = JSONCursor(bytes)
        var members: [String: JSONElement] = [:]
        try cursor.members { (key, cursor) throws(BatchFault) in
            guard names.contains(key) else {
                let nearest = Spelling.nearest(to: key, among: names)
                throw BatchFault(
                    line: cursor.line, reason: "there is no member \(QuotedWord(key))",
                    hint: nearest.map { "did you mean '\($0)'?" }
                        ?? "there are \(names.joined(separator: ", "))")
            }
            members[key] = try cursor.job()
        }
        if let note = cursor.notes.first { throw note }
        guard cursor.isAtEnd() else { throw cursor.fault("something follows the document") }
        self.members = members
    }

    /// - Throws: For a member that is no text.
    public func text(_ name: String) throws(BatchFault) -> String? {
        switch value(name) {
        case nil: nil
        case .text(let text): text
        case .some: throw wrong(name, "a text")
        }
    }

    /// - Throws: For a member that is no list of texts.
    public func texts(_ name: String) throws(BatchFault) -> [String]? {
        guard let value = value(name) else { return nil }
        guard case .list(let elements) = value else { throw wrong(name, "a list of texts") }
        var texts: [String] = []
        for element in elements {
            guard case .text(let text) = element.value else { throw wrong(name, "a list of texts") }
            texts.append(text)
        }
        return texts
    }

    /// - Throws: For a member that is neither true nor false.
    public func flag(_ name: String) throws(BatchFault) -> Bool? {
        switch value(name) {
        case nil: nil
        case .flag(let flag): flag
        case .some: throw wrong(name, "true or false")
        }
    }

    /// - Throws: For a member that is no number.
    public func number(_ name: String) throws(BatchFault) -> Double? {
        switch value(name) {
        case nil: return nil
        case .number(let digits):
            guard let number = Double(digits), number.isFinite else {
                throw wrong(name, "a number")
            }
            return number
        case .some: throw wrong(name, "a number")
        }
    }

    /// Null stands for a member that is not there.
    private func value(_ name: String) -> JSONElement.Value? {
        guard let value = members[name]?.value else { return nil }
        if case .null = value { return nil }
        return value
    }

    private func wrong(_ name: String, _ need: String) -> BatchFault {
        let element = members[name]
        return BatchFault(
            line: element?.line, field: name,
            reason: "needs \(need), but holds \(element?.kind ?? "nothing")")
    }
}
