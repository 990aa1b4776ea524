internal import TakeupIntake
internal import TakeupModel

/// Reads a request's query; what no route knows is refused, for it would be taken to have worked.
struct QueryReader {
    private let pairs: [(name: String, value: String)]

    /// - Throws: For a name that is not among `known`, and for one that comes twice and not in `repeatable`.
    init(
        _ request: RoutedRequest, known: [String], repeatable: Set<String> = []
    ) throws(Refusal) {
        pairs = request.query
        var seen: Set<String> = []
        for (name, _) in pairs {
            guard known.contains(name) else {
                let nearest = Spelling.nearest(to: name, among: known)
                let hint =
                    nearest.map { "did you mean '\($0)'?" }
                    ?? (known.isEmpty
                        ? "this request takes none" : "there are \(known.joined(separator: ", "))")
                throw Self.refusal("there is no parameter '\(name.prefix(80))'", hint: hint)
            }
            guard seen.insert(name).inserted || repeatable.contains(name) else {
                throw Self.refusal("the parameter '\(name)' comes twice", hint: "give it once")
            }
        }
    }

    func text(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// All values of a parameter that may be repeated, or hold several with commas between them.
    func texts(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.flatMap { $0.value.split(separator: ",").map(String.init) }
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Self.refusal(
                "the parameter '\(name)' cannot be '\(text.prefix(80))'",
                hint: "write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func flag(_ name: String) throws(Refusal) -> Bool? {
        switch text(name) {
        case nil: return nil
        case "1", "true": return true
        case "0", "false": return false
        case let text?:
            throw Self.refusal(
                "the parameter '\(name)' cannot be '\(text.prefix(80))'",
                hint: "write true or false")
        }
    }

    /// Reads a text that some function understands.
    func parsed<Value>(
        _ name: String, as need: String, _ parse: (String) -> Value?
    ) throws(Refusal) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = parse(text) else {
            throw Self.refusal(
                "the parameter '\(name)' cannot be '\(text.prefix(80))'", hint: "write \(need)")
        }
        return value
    }

    private static func refusal(_ message: String, hint: String) -> Refusal {
        Refusal(400, .request("invalidQuery", message, hint: hint))
    }
}
