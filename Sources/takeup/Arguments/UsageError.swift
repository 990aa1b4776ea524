/// A command line that says something Takeup does not understand.
struct UsageError: Error, Equatable, Sendable {
    let message: String
    /// What to write instead; nil when the help has to tell.
    var hint: String?
    /// The command whose help applies, such as `["presets", "list"]`.
    var path: [String] = []

    init(_ message: String, hint: String? = nil, path: [String] = []) {
        self.message = message
        self.hint = hint
        self.path = path
    }
}
