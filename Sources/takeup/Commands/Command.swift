import TakeupModel

/// One thing that Takeup can be told to do.
protocol Command: Sendable {
    /// How it talks: as text or JSON, and how much.
    var style: OutputStyle { get }
    /// Whether it has said in JSON what went wrong before it throws.
    var reportsOwnFailures: Bool { get }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode
}

extension Command {
    var reportsOwnFailures: Bool { false }
}
