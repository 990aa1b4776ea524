/// One job as its list states it: known fields with unchecked values.
struct JobDraft {
    /// The first line of the job in its list, from 1; nil for a job without a list.
    let line: Int?
    var fields: [JobField: JSONElement] = [:]
    /// Whether the list states only a path or an address.
    private(set) var isPlain = false

    init(line: Int?) {
        self.line = line
    }

    /// Creates a job of which only the source is known.
    init(plain source: String, line: Int?) {
        self.init(line: line)
        fields[.source] = JSONElement(value: .text(source), line: line)
        isPlain = true
    }

    /// Takes the fields of an object, and notes names that no field has.
    init(_ element: JSONElement, _ faults: inout FaultList) {
        self.init(line: element.line)
        guard case .object(let members) = element.value else {
            faults.add(
                BatchFault(
                    line: line, reason: "a job is an object in { }, but here stands \(element.kind)"
                ))
            return
        }
        for member in members {
            guard let field = JobField(rawValue: member.key) else {
                faults.add(Self.unknown(member.key, line: member.element.line, column: nil))
                continue
            }
            fields[field] = member.element
        }
    }

    static func unknown(_ name: String, line: Int?, column: Int?) -> BatchFault {
        BatchFault(
            line: line, column: column, reason: "there is no field \(QuotedWord(name))",
            hint: JobField.hint(for: name))
    }
}
