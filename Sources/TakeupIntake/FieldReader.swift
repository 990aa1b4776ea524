import TakeupTimeline

/// Reads the fields of one job; what is wrong is noted and read as if it were absent.
struct FieldReader {
    let draft: JobDraft
    /// What the list says about all its jobs.
    let defaults: JobDraft?
    /// What the job may name; nil for everything.
    let paths: PathRule?
    private(set) var faults: [BatchFault] = []
    /// What of the job's timeline nothing was made of.
    var omitted: [BatchList.Skipped] = []

    init(_ draft: JobDraft, defaults: JobDraft? = nil, paths: PathRule? = nil) {
        (self.draft, self.defaults, self.paths) = (draft, defaults, paths)
    }

    /// The job's own value, or else the list's; null and an empty cell say nothing.
    func element(_ field: JobField) -> JSONElement? {
        for draft in [draft, defaults] {
            guard let element = draft?.fields[field] else { continue }
            switch element.value {
            case .null, .cell(""): continue
            default: return element
            }
        }
        return nil
    }

    mutating func note(
        _ field: JobField, _ element: JSONElement?, _ reason: String, hint: String? = nil
    ) {
        faults.append(
            BatchFault(
                line: element?.line ?? draft.line, column: element?.column, field: field.rawValue,
                reason: reason, hint: hint))
    }

    /// Notes a fault that says its own place.
    mutating func note(_ fault: BatchFault) { faults.append(fault) }

    /// Says nothing of whether the path is there, and names it as the caller has.
    mutating func forbid(_ field: JobField, _ element: JSONElement?, _ path: String? = nil) {
        let path = path ?? element?.text
        faults.append(
            BatchFault(
                line: element?.line ?? draft.line, field: field.rawValue,
                reason: "names \(path.map { "\(QuotedWord($0))" } ?? "a path"),"
                    + " which is not allowed here",
                hint: field == .output
                    ? "name a place below a folder that the server allows, or leave it out"
                    : "name a file below a folder that the server allows, or upload the file",
                isForbidden: true))
    }

    mutating func wrong(_ field: JobField, _ element: JSONElement, needs need: String) {
        note(field, element, "needs \(need), but holds \(element.kind)")
    }

    mutating func text(_ field: JobField) -> String? {
        guard let element = element(field) else { return nil }
        guard let text = element.text else {
            wrong(field, element, needs: "a text")
            return nil
        }
        return text
    }

    /// Reads a text that some function understands.
    mutating func parsed<Value>(
        _ field: JobField, as need: String, _ parse: (String) -> Value?
    ) -> Value? {
        guard let element = element(field) else { return nil }
        guard let value = element.textOrNumber.flatMap(parse) else {
            wrong(field, element, needs: need)
            return nil
        }
        return value
    }

    /// Reads a list of names, or a text that has them with commas between.
    mutating func names(_ field: JobField) -> [String]? {
        guard let element = element(field) else { return nil }
        switch element.value {
        case .text(let text), .cell(let text):
            return text.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init)
        case .list(let elements):
            let names = elements.compactMap { element in
                if case .text(let name) = element.value { name } else { nil }
            }
            if names.count == elements.count { return names }
        case .null, .flag, .number, .object: break
        }
        wrong(field, element, needs: "a list of names such as [\"gpu\"]")
        return nil
    }

    mutating func integer(_ field: JobField, in range: ClosedRange<Int>) -> Int? {
        guard let element = element(field) else { return nil }
        guard let number = element.number.flatMap(Int.init(exactly:)), range.contains(number)
        else {
            wrong(
                field, element,
                needs: "a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    mutating func flag(_ field: JobField) -> Bool? {
        guard let element = element(field) else { return nil }
        switch element.value {
        case .flag(let flag): return flag
        case .cell("true"): return true
        case .cell("false"): return false
        default:
            wrong(field, element, needs: "true or false")
            return nil
        }
    }

    /// Reads one of some words over a value that holds otherwise.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ field: JobField, _ choice: inout Choice
    ) {
        guard let element = element(field) else { return }
        if let word = element.text.flatMap(Choice.init(rawValue:)) {
            choice = word
            return
        }
        let names = Choice.allCases.map(\.rawValue)
        let nearest = element.text.flatMap { Spelling.nearest(to: $0, among: names) }
        note(
            field, element, "cannot be \(element.kind)",
            hint: nearest.map { "did you mean '\($0)'?" }
                ?? "it may be \(names.joined(separator: ", "))")
    }

    /// Reads a time from 0 on: a number of seconds, or text in any of the forms of `MediaTime`.
    mutating func time(_ field: JobField) -> MediaTime? {
        parsed(field, as: "a time such as 12.5, 1:02:03.250 or 1001/30000") { text in
            if let time = MediaTime(parsing: text) { return time }
            guard text.contains(where: { $0 == "e" || $0 == "E" }), let seconds = Double(text),
                (0..<1e9).contains(seconds)
            else { return nil }
            return MediaTime(seconds: seconds)
        }
    }
}

extension JSONElement {
    /// Every text in it.
    var texts: [String] {
        switch value {
        case .text(let text), .cell(let text): [text]
        case .list(let elements): elements.flatMap(\.texts)
        case .object(let members): members.flatMap(\.element.texts)
        case .null, .flag, .number: []
        }
    }

    /// A text, or a cell as it is.
    fileprivate var text: String? {
        switch value {
        case .text(let text), .cell(let text): text
        case .null, .flag, .number, .list, .object: nil
        }
    }

    fileprivate var textOrNumber: String? {
        if case .number(let digits) = value { return digits }
        return text
    }

    fileprivate var number: Double? {
        switch value {
        case .number(let digits), .cell(let digits): Double(digits)
        case .null, .flag, .text, .list, .object: nil
        }
    }
}
