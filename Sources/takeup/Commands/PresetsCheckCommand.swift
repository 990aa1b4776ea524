import Foundation
import TakeupModel

/// Says whether a preset file is right.
struct PresetsCheckCommand: Command {
    static let specification = CommandSpecification(
        name: "check",
        summary: "Say whether a preset file is right",
        details: "Ends with 0 when it is and with 78 when it is not.",
        argument: ArgumentSpecification(
            name: "FILE", count: 1...1, completion: .file, help: "Preset file"),
        examples: [
            .init(line: "takeup presets check mine.json", effect: "names the first mistake")
        ],
        make: { input throws(UsageError) in PresetsCheckCommand(input) })

    let style: OutputStyle
    private let path: String

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        path = input.arguments[0]
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let preset = try preset(in: context)
        if style.isJSON {
            context.print(["file": .text(path), "valid": true, "name": .text(preset.name)])
        } else if !style.isQuiet {
            context.print("\(path.escaped): the preset '\(preset.name.escaped)' is right")
        }
        if file(in: context).lastPathComponent != "\(preset.name).json" {
            Console(context, style).warning(
                "--preset finds it by this path alone; to be found by its name among your presets "
                    + "the file has to be called \(preset.name).json")
        }
        return .success
    }

    private func file(in context: CommandContext) -> URL {
        URL(filePath: context.absolute(path)).resolvingSymlinksInPath()
    }

    /// A file in the user's folder has to be found there by its name, too.
    private func preset(in context: CommandContext) throws(Failure) -> ExportPreset {
        let file = file(in: context)
        let name = file.deletingPathExtension().lastPathComponent
        do throws(PresetError) {
            if let own = context.presetFolder,
                URL(filePath: own.file(name)).resolvingSymlinksInPath() == file,
                let preset = try own.preset(named: name)
            {
                return preset
            }
            return try ExportPreset.load(path: context.resolve(path))
        } catch {
            throw Failure(error)
        }
    }
}
