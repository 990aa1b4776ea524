/// An error as a user or a script sees it.
struct Failure: Error, Equatable, Sendable {
    let exitCode: ExitCode
    /// Stable, for scripts.
    let code: String
    /// How far it came, in `ExportStage`'s words, or `request` before there was an export.
    let stage: String
    /// What was tried, on what, and why it did not work.
    let message: String
    /// What to do about it.
    let hint: String

    var json: JSONValue {
        [
            "code": .text(code), "stage": .text(stage), "message": .text(message),
            "hint": .text(hint),
        ]
    }
}

extension Failure {
    init(_ error: UsageError) {
        self.init(
            exitCode: .usage, code: "usage", stage: "request", message: error.message,
            hint: error.hint ?? "see the command's --help")
    }

    init(_ error: ConfigurationError) {
        self.init(
            exitCode: .configuration, code: "configuration", stage: "request",
            message: error.message, hint: error.hint)
    }
}
