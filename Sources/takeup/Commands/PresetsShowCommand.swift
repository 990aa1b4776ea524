import TakeupIntake
import TakeupModel

/// Prints a preset as the file that it is, with every number.
struct PresetsShowCommand: Command {
    static let specification = CommandSpecification(
        name: "show",
        summary: "Print a preset or a template with every number it uses",
        details: "What it prints is a file: save it, change it, give it to --preset or --template.",
        argument: ArgumentSpecification(
            name: "NAME", count: 1...1, completion: .preset, help: "A preset's name or file"),
        options: [PresetsTable.template],
        examples: [
            .init(
                line: "takeup presets show 1280x720 > mine.json",
                effect: "a starting point for a preset of your own")
        ],
        make: { input throws(UsageError) in PresetsShowCommand(input) })

    let style: OutputStyle
    private let name: String
    private let isTemplate: Bool

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        name = input.arguments[0]
        isTemplate = input.isOn("template")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        guard !isTemplate else {
            let template = try CompositionTemplate.resolve(
                context.presetPlace(name), in: context.presetFolder)
            context.output.write(try PresetText.json(template, isPretty: !style.isJSON) + "\n")
            return .success
        }
        let preset = try context.preset(name)
        context.output.write(try PresetText.json(preset, isPretty: !style.isJSON) + "\n")
        return .success
    }
}
