/// A command line that was read: which command, with which options and arguments.
struct Invocation: Sendable {
    let command: CommandSpecification
    /// The command's words, such as `["presets", "list"]`; empty for `takeup` alone.
    let path: [String]
    /// Values as they were given, by option name; a flag's list holds empty strings.
    let options: [String: [String]]
    let arguments: [String]

    func has(_ option: String) -> Bool { options[option] != nil }
}
