import Foundation
import TakeupModel

/// Lists the shipped presets and the user's own.
struct PresetsListCommand: Command {
    static let specification = CommandSpecification(
        name: "list",
        summary: "List the shipped presets and your own",
        details: """
            Your own are the files NAME.json in presets beside the configuration \
            ($XDG_CONFIG_HOME/takeup/presets). None may have the name of a shipped one.
            """,
        examples: [.init(line: "takeup presets list", effect: "names and descriptions")],
        make: { input throws(UsageError) in PresetsListCommand(input) })

    let style: OutputStyle

    init(_ input: CommandInput) {
        style = OutputStyle(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let presets = context.knownPresets(tellingFaultsTo: Console(context, style))
        if style.isJSON {
            context.output.write(try PresetText.json(presets, isPretty: false) + "\n")
            return .success
        }
        let rows = presets.map { [$0.preset.name.escaped, $0.from.escaped, $0.preset.description] }
        let width = (rows.map(\.[0].count).max() ?? 0) + 2
        for row in rows {
            let text = row[1] == KnownPreset.shipped ? row[2] : "\(row[2]) (\(row[1]))"
            context.print(TextTable.padded(row[0], to: width) + text.escaped)
        }
        return .success
    }
}

extension CommandContext {
    /// All presets that have a name, the shipped ones first.
    ///
    /// - Parameter talk: Is told of files in the user's folder that are none.
    /// - Returns: The user's own by the names of their files.
    func knownPresets(tellingFaultsTo talk: Console) -> [KnownPreset] {
        KnownPreset.all(in: presetFolder) { talk.warning(Failure($0).message) }
    }
}
