/// What the common options say about how a command talks.
struct OutputStyle: Sendable, Equatable {
    let isJSON: Bool
    let isQuiet: Bool
    let isVerbose: Bool
    /// `auto`, `always` or `never`.
    let color: String

    init(_ input: CommandInput) {
        isJSON = input.isOn("json")
        isQuiet = input.isOn("quiet")
        isVerbose = input.isOn("verbose") && !input.isOn("quiet")
        color = input.value("color") ?? "auto"
    }
}
