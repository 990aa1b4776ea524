/// What a command is made from: its arguments and every option, resolved.
struct CommandInput: Sendable {
    let path: [String]
    let arguments: [String]
    let settings: Settings
    /// The command line as it was read, for a command that resolves settings itself.
    let invocation: Invocation

    /// The same command with other settings.
    func with(_ settings: Settings) -> CommandInput {
        CommandInput(path: path, arguments: arguments, settings: settings, invocation: invocation)
    }

    func value(_ option: String) -> String? { settings.value(option) }
    func values(_ option: String) -> [String] { settings.setting(option)?.values ?? [] }
    /// Whether the command line itself says it.
    func isFlag(_ option: String) -> Bool { settings.setting(option)?.origin == .flag }
    func isOn(_ option: String) -> Bool { settings.isOn(option) }

    /// Reads a value that has a form.
    ///
    /// - Returns: nil when none was given.
    /// - Throws: With `form` as advice for one that `parse` does not take.
    func parsed<Value>(
        _ option: String, as form: String, _ parse: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = value(option) else { return nil }
        guard let value = parse(text) else {
            throw UsageError("--\(option) cannot be '\(text)'", hint: "write \(form)", path: path)
        }
        return value
    }

    /// Reads a whole number.
    func whole(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        let form = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try parsed(option, as: form) { Self.whole($0, in: range) }
    }

    static func whole(_ text: String, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
}
