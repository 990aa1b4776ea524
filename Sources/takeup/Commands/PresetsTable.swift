/// The group of commands about presets.
enum PresetsTable {
    static let template = OptionSpecification(
        name: "template", help: "Templates instead of presets")

    static let specification = CommandSpecification(
        name: "presets",
        summary: "List, show and check presets",
        details: "A preset is a JSON file that says every number it uses.",
        subcommands: [
            PresetsListCommand.specification, PresetsShowCommand.specification,
            PresetsCheckCommand.specification, PresetsForCommand.specification,
        ],
        examples: [
            .init(line: "takeup presets for clip.mov", effect: "which presets suit clip.mov")
        ])
}
