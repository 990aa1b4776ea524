import Foundation
import TakeupIntake
import TakeupModel

/// Lists the shipped presets and the user's own.
struct PresetsListCommand: Command {
    static let specification = CommandSpecification(
        name: "list",
        summary: "List the shipped presets, your own, and templates",
        details: """
            Your own are the files NAME.json in presets beside the configuration \
            ($XDG_CONFIG_HOME/takeup/presets). None may have the name of a shipped one.
            """,
        options: [PresetsTable.template],
        examples: [
            .init(line: "takeup presets list", effect: "names and descriptions"),
            .init(line: "takeup presets list --template --json", effect: "the templates as JSON"),
        ],
        make: { input throws(UsageError) in PresetsListCommand(input) })

    let style: OutputStyle
    private let onlyTemplates: Bool

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        onlyTemplates = input.isOn("template")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let talk = Console(context, style)
        guard !onlyTemplates else {
            let templates = context.knownTemplates(tellingFaultsTo: talk)
            guard !style.isJSON else {
                context.output.write(try PresetText.json(templates, isPretty: false) + "\n")
                return .success
            }
            print(templates.map { [$0.name, $0.description] }, in: context)
            return .success
        }
        let presets = context.knownPresets(tellingFaultsTo: talk)
        if style.isJSON {
            context.output.write(try PresetText.json(presets, isPretty: false) + "\n")
            return .success
        }
        let rows = presets.map { known in
            let from = known.from == KnownPreset.shipped ? "" : " (\(known.from))"
            return [known.preset.name, known.preset.description + from]
        }
        print(rows, in: context)
        let templates = context.knownTemplates(tellingFaultsTo: talk)
        context.print("")
        context.print("Templates, for --template:")
        print(templates.map { [$0.name, $0.description] }, in: context)
        return .success
    }

    private func print(_ rows: [[String]], in context: CommandContext) {
        let width = (rows.map(\.[0].escaped.count).max() ?? 0) + 2
        for row in rows {
            context.print(TextTable.padded(row[0].escaped, to: width) + row[1].escaped)
        }
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

    /// All templates that have a name, the shipped ones first.
    func knownTemplates(tellingFaultsTo talk: Console) -> [CompositionTemplate] {
        CompositionTemplate.names(in: presetFolder).compactMap { name in
            do throws(Failure) {
                return try CompositionTemplate.resolve(name, in: presetFolder)
            } catch {
                talk.warning(error.message)
                return nil
            }
        }
    }
}
