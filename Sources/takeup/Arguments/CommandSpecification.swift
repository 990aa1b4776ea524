/// One command, or a group of them: all that parsing, help, completion and the manual page say about it.
struct CommandSpecification: Sendable {
    /// A command line worth copying, and what it does.
    struct Example: Sendable {
        let line: String
        let effect: String
    }

    let name: String
    /// One sentence without a full stop.
    let summary: String
    var details = ""
    /// More of the same, for the manual page and `--help --all`.
    var notes = ""
    var argument: ArgumentSpecification?
    var options: [OptionSpecification] = []
    /// Names of the options that the short help explains; empty for all of the command's own.
    var essentials: [String] = []
    var subcommands: [CommandSpecification] = []
    var examples: [Example] = []
    /// Whether it explains a bad configuration itself instead of refusing to run.
    var diagnosesConfiguration = false
    /// Whether it works on media at once, so that the sealed process for that is started before the command runs.
    var worksOnMedia = false
    /// Makes the command from its input; nil for a group.
    var make: (@Sendable (CommandInput) throws(UsageError) -> any Command)?

    func subcommand(_ name: String) -> CommandSpecification? {
        subcommands.first { $0.name == name }
    }

    func option(_ name: String) -> OptionSpecification? {
        options.first { $0.name == name }
    }

    /// The options that are not accepted by every command anyway.
    var ownOptions: [OptionSpecification] {
        let common = Set(CommandTable.acceptedEverywhere.map(\.name))
        return options.filter { !common.contains($0.name) }
    }

    /// Everything that is said about it besides the summary.
    var description: String {
        [details, notes].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
