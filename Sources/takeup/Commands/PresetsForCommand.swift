import TakeupExport

/// Says which presets suit an input and, for the others, why not.
struct PresetsForCommand: Command {
    static let specification = CommandSpecification(
        name: "for",
        summary: "Say which presets suit an input and, for the others, why not",
        details: """
            For each preset: the size of its pictures, whether pictures and sound are copied or \
            encoded, how large the output becomes (~ marks an estimate), and what is lost.
            """,
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
        var assets = inputs.assets
        // One for all presets: it is looked into once.
        let asset = assets[source] ?? Asset(path: source)
        assets[source] = asset
        do {
            _ = try await context.engine.inspect(asset)
        } catch {
            throw inputs.failure(error, signal: context.interrupts.signal)
        }
        var answers: [PresetAnswer] = []
        for known in context.knownPresets(tellingFaultsTo: Talk(context, style)) {
            answers.append(await answer(known.preset, source, assets, in: context))
        }
        if style.isJSON {
            context.print(.list(answers.map(\.json)))
        } else {
            PresetAnswer.lines(answers).forEach(context.print)
        }
        return .success
    }

    private func answer(
        _ preset: ExportPreset, _ source: String, _ assets: [String: Asset],
        in context: CommandContext
    ) async -> PresetAnswer {
        let request = SessionRequest(
            sources: .joined([source]), preset: preset, settings: ExportSettings(),
            assets: assets)
        do {
            let forecast = try await context.engine.session(request).forecast(
                to: nil, makesFolder: false)
            return PresetAnswer(preset: preset, plan: forecast.plan, failure: nil)
        } catch {
            return PresetAnswer(preset: preset, plan: nil, failure: Failure(error))
        }
    }
}
