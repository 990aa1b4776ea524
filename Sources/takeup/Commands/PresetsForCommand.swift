import TakeupMediaClient
import TakeupModel
import TakeupWorker

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
        worksOnMedia: true,
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
        let presets = context.knownPresets(tellingFaultsTo: Console(context, style)).map(\.preset)
        guard let first = presets.first else { return .success }
        let work = ForegroundWork(
            ExportRequest(Composition(joining: [source]), preset: first),
            sources: [inputs.source(source)])
        let found: [PlanAnswer]
        do {
            found = try await context.engine.plans(work, presets)
        } catch {
            throw inputs.failure(error, signal: context.interrupts.signal)
        }
        let answers = zip(presets, found).map(PresetAnswer.init)
        if style.isJSON {
            context.print(.list(answers.map(\.json)))
        } else {
            PresetAnswer.lines(answers).forEach(context.print)
        }
        return .success
    }
}
