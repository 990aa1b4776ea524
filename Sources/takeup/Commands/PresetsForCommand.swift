import TakeupExport

/// Says which presets suit an input and, for the others, why not.
struct PresetsForCommand: Command {
    static let specification = CommandSpecification(
        name: "for",
        summary: "Say which presets suit an input and, for the others, why not",
        argument: ArgumentSpecification(
            name: "INPUT", count: 1...1, completion: .file, help: "Media file"),
        examples: [.init(line: "takeup presets for clip.mov", effect: "a line a preset")],
        make: { input throws(UsageError) in PresetsForCommand(input) })

    let style: OutputStyle
    private let path: String

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        path = input.arguments[0]
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let source = context.resolve(path)
        do {
            _ = try await context.engine.inspect(source)
        } catch {
            throw Failure(error, signal: context.interrupts.signal)
        }
        var answers: [Answer] = []
        for preset in ExportPreset.shipped {
            answers.append(await answer(preset, source, in: context))
        }
        if style.isJSON {
            context.print(.list(answers.map(\.json)))
        } else {
            let palette = context.palette(style.color, isOutput: true)
            TextTable.lines(answers.map { $0.row(palette) }).forEach(context.print)
        }
        return .success
    }

    private func answer(
        _ preset: ExportPreset, _ source: String, in context: CommandContext
    ) async -> Answer {
        let request = SessionRequest(
            sources: .joined([source]), preset: preset, settings: ExportSettings())
        do {
            let plan = try await context.engine.session(request).plan()
            return Answer(preset: preset, plan: plan, failure: nil)
        } catch {
            return Answer(preset: preset, plan: nil, failure: Failure(error))
        }
    }

    /// How one preset and the input get on.
    private struct Answer {
        let preset: ExportPreset
        let plan: ExportPlan?
        let failure: Failure?

        var json: JSONValue {
            [
                "name": .text(preset.name), "description": .text(preset.description),
                "compatible": .flag(failure == nil),
                "reason": .text(optional: failure?.message),
                "warnings": .list((plan?.warnings ?? []).map(\.json)),
            ]
        }

        func row(_ palette: Palette) -> [String] {
            let reason = failure.map { "no: \($0.message.escaped)" }
            return [preset.name.escaped, reason ?? palette.paint("yes", .green)]
        }
    }
}
