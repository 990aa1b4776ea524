internal import TakeupFiles

/// One thing that is wrong with a list.
public struct BatchFault: Error, Sendable, Hashable {
    /// From 1; nil when no line is to blame.
    public let line: Int?
    /// From 1: of a CSV file the cell's column, of broken JSON the byte's place in its line.
    public let column: Int?
    /// The field's name, such as `preset` or `metadata.title`.
    public let field: String?
    public let reason: String
    /// What to write instead; nil when the reason says it.
    public let hint: String?
    /// Whether a path rule refuses what it says.
    public let isForbidden: Bool
    /// Whether the same may be right a little later.
    public let isTemporary: Bool

    public init(
        line: Int?, column: Int? = nil, field: String? = nil, reason: String, hint: String? = nil,
        isForbidden: Bool = false, isTemporary: Bool = false
    ) {
        (self.line, self.column, self.field) = (line, column, field)
        (self.reason, self.hint) = (reason, hint)
        (self.isForbidden, self.isTemporary) = (isForbidden, isTemporary)
    }

    /// The same in a document that a program has sent: with the element's number, and no line where it has but one.
    ///
    /// - Parameter number: Of the element, from 1; nil where the document is one job.
    /// - Returns: The fault.
    package func numbered(_ number: Int?) -> BatchFault {
        let fields = [number.map { "job \($0)" }, field].compactMap(\.self)
        return BatchFault(
            line: line == 1 ? nil : line, column: column,
            field: fields.isEmpty ? nil : fields.joined(separator: ", "), reason: reason,
            hint: hint, isForbidden: isForbidden, isTemporary: isTemporary)
    }

    /// For a file of which nobody can tell now whether it is there.
    init(unreadable error: FileError, line: Int?, field: String) {
        self.init(
            line: line, field: field, reason: "cannot be looked up now: \(error.reason)",
            hint: "try again", isTemporary: true)
    }
}

extension BatchFault: CustomStringConvertible {
    /// Such as `line 3, column 2, preset: there is no preset 'x'; did you mean 'low'?`.
    public var description: String {
        message + (hint.map { "; \($0)" } ?? "")
    }

    /// The same without the hint.
    public var message: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }, field]
            .compactMap(\.self).joined(separator: ", ")
        return (place.isEmpty ? "" : place + ": ") + reason
    }
}
