import TakeupModel
import TakeupTelemetry

/// Says things to a person on standard error.
struct Console: Sendable {
    private let sink: any TextSink
    private let palette: Palette
    private let isQuiet: Bool
    private let environment: [String: String]

    init(_ context: CommandContext, color: String = "auto", isQuiet: Bool = false) {
        sink = context.diagnostics
        palette = context.palette(color, isOutput: false)
        self.isQuiet = isQuiet
        environment = context.environment
    }

    init(_ context: CommandContext, _ style: OutputStyle) {
        self.init(context, color: style.color, isQuiet: style.isQuiet)
    }

    func error(_ failure: Failure) {
        let label = palette.paint("error:", .red)
        let advice = failure.advice
        let hint = advice.isEmpty ? "" : "  \(advice.escaped)\n"
        say(.error, "takeup: \(label) \(failure.message.escaped)\n\(hint)")
    }

    func error(_ error: UsageError) {
        let label = palette.paint("error:", .red)
        let hint = error.hint.map { "  \($0.escaped)\n" } ?? ""
        let command = (["takeup"] + error.path).joined(separator: " ")
        say(
            .error,
            "takeup: \(label) \(error.message.escaped)\n\(hint)"
                + "  '\(command) --help' explains the command\n")
    }

    func warning(_ message: String) {
        guard !isQuiet else { return }
        say(.warning, "takeup: \(palette.paint("warning:", .yellow)) \(message.escaped)\n")
    }

    /// Something worth knowing while a command runs.
    func note(_ message: String) {
        guard !isQuiet else { return }
        say(.info, "takeup: \(message.escaped)\n")
    }

    private func say(_ level: LogLevel, _ text: String) {
        sink.write(JournalStream.marked(text, level, environment))
    }
}
