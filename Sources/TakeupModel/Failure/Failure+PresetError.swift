extension Failure {
    /// Says why no preset came of a name or a file.
    public init(_ error: PresetError) {
        switch error {
        case .unknown(let name, let suggestions):
            let near = suggestions.map { "'\($0)'" }.joined(separator: ", ")
            self = Self.preset(
                .usage, "presetUnknown", "there is no preset '\(name)'",
                hint: near.isEmpty
                    ? "give the name of a preset, or its file" : "did you mean \(near)?")
        case .shadowed(let name, let path):
            self = Self.preset(
                .configuration, "presetShadowed",
                "there is a shipped preset '\(name)', and \(path) has the same name",
                hint: "rename that file and the name in it")
        case .unreadable(let path, let reason):
            self = Self.preset(
                .inputMissing, "presetUnreadable", "cannot read the preset \(path): \(reason)",
                hint: "check the path")
        case .notPermitted(let path):
            self = Self.preset(
                .notPermitted, "presetNotPermitted", "may not read the preset \(path)",
                hint: "give this user the right to read it")
        case .invalid(let path, let key, let reason):
            self = Self.preset(
                .configuration, "presetInvalid",
                "\(path) is no preset: \(key.isEmpty ? "the file" : "'\(key)'") \(reason)",
                hint: "compare it with a shipped preset")
        case .change(let change, let preset, let reason):
            self = Self.preset(
                .usage, "presetFieldInvalid",
                "cannot set '\(change)' in the preset '\(preset)': it \(reason)",
                hint: "look at the preset's fields and their values")
        case .unsupported(let name, let reason):
            self = Self.preset(
                .usage, "presetUnsupported", "the preset '\(name)' cannot be used: \(reason)",
                hint: "choose another preset")
        }
    }

    private static func preset(
        _ ending: Ending, _ code: String, _ message: String, hint: String
    ) -> Failure {
        Failure(
            code: code, stage: "plan", message: message, hint: hint, ending: ending)
    }
}
