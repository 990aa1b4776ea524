import TakeupModel

/// Says what is in a file and whether it can be played and exported.
struct ProbeCommand: Command {
    static let specification = CommandSpecification(
        name: "probe",
        summary: "Say what is in a media file",
        details: "Lists tracks and duration, and whether it is playable, exportable or protected.",
        argument: ArgumentSpecification(
            name: "INPUT", count: 1...1, completion: .file, help: "Media file, or its address"),
        options: NetworkOptions.specifications,
        examples: [.init(line: "takeup probe clip.mov --json", effect: "the same, for scripts")],
        worksOnMedia: true,
        make: { input throws(UsageError) in try ProbeCommand(input) })

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
        let description: AssetDescription
        do {
            description = try await context.engine.inspect(inputs.source(source))
        } catch {
            throw inputs.failure(error, signal: context.interrupts.signal)
        }
        if style.isJSON {
            context.print(ProbeJSON.value(description))
        } else {
            let palette = context.palette(style.color, isOutput: true)
            ProbeText(description, palette: palette).lines().forEach(context.print)
        }
        return .success
    }
}
