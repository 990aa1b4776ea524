import TakeupExport

/// Says which presets suit an input and, for the others, why not.
struct PresetsForCommand: Command {
    static let specification = CommandSpecification(
        name: "for",
        summary: "Say which presets suit an input and, for the others, why not",
        argument: ArgumentSpecification(
            name: "INPUT", count: 1...1, completion: .file, help: "Media file, or its address"),
        options: NetworkOptions.specifications,
        examples: [.init(line: "takeup presets for clip.mov", effect: "a line a preset")],
        decodesUnsealed: true,
        make: { input throws(UsageError) in try PresetsForCommand(input) })

    let style: OutputStyle
    private let path: String
    private let network: NetworkOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        path = try AddressArgument(input.arguments[0])?.text ?? input.arguments[0]
        network = try NetworkOptions(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let source = context.resolve(path)
        let inputs = try await RemoteInputs([source], network, in: context)
        defer { inputs.close() }
        let assets = inputs.assets
        do {
            _ = try await context.engine.inspect(assets[source] ?? Asset(path: source))
        } catch {
            throw inputs.failure(error, signal: context.interrupts.signal)
        }
        var answers: [Answer] = []
        for preset in ExportPreset.shipped {
            answers.append(await answer(preset, source, assets, in: context))
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
        _ preset: ExportPreset, _ source: String, _ assets: [String: Asset],
        in context: CommandContext
    ) async -> Answer {
        let request = SessionRequest(
            sources: .joined([source]), preset: preset, settings: ExportSettings(),
            assets: assets)
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
