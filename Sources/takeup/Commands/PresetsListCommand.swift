import Foundation
import TakeupExport

/// Lists the shipped presets.
struct PresetsListCommand: Command {
    static let specification = CommandSpecification(
        name: "list",
        summary: "List the shipped presets",
        examples: [.init(line: "takeup presets list", effect: "names and descriptions")],
        make: { input throws(UsageError) in PresetsListCommand(input) })

    let style: OutputStyle

    init(_ input: CommandInput) {
        style = OutputStyle(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let presets = ExportPreset.shipped
        if style.isJSON {
            context.output.write(try PresetText.json(presets, isPretty: false) + "\n")
        } else {
            let rows = presets.map { [$0.name.escaped, $0.description.escaped] }
            TextTable.lines(rows).forEach(context.print)
        }
        return .success
    }
}
