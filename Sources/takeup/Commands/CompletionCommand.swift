import TakeupModel

/// Prints what a shell or `man` needs to know about Takeup.
struct CompletionCommand: Command {
    static let specification = CommandSpecification(
        name: "completion",
        summary: "Print shell completion or the manual page",
        argument: ArgumentSpecification(
            name: "SHELL", count: 1...1, allowedValues: ["bash", "zsh", "fish", "man"],
            help: "What to print"),
        examples: [
            .init(line: "source <(takeup completion bash)", effect: "completion in this shell"),
            .init(
                line: "takeup completion man > ~/.local/share/man/man1/takeup.1",
                effect: "install the manual page"),
        ],
        make: { input throws(UsageError) in CompletionCommand(input) })

    let style: OutputStyle
    private let shell: String

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        shell = input.arguments[0]
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let root = CommandTable.root
        let presets = ExportPreset.shipped.map(\.name) + (context.presetFolder?.names() ?? [])
        let text =
            switch shell {
            case "bash": BashCompletion.script(root, presets: presets)
            case "zsh": ZshCompletion.script(root, presets: presets)
            case "fish": FishCompletion.script(root, presets: presets)
            default: ManPage.text(root, version: CommandTable.version)
            }
        context.output.write(text)
        return .success
    }
}
