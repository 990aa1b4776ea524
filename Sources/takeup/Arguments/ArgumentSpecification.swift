/// The positional arguments of a command.
struct ArgumentSpecification: Sendable {
    /// What one of them is called in help, such as `INPUT`.
    let name: String
    /// How many there may be.
    let count: ClosedRange<Int>
    var allowedValues: [String] = []
    var completion = CompletionKind.nothing
    let help: String

    var synopsis: String {
        let name = count.upperBound > 1 ? "\(name)…" : name
        return count.lowerBound == 0 ? "[\(name)]" : name
    }
}
