/// Why no preset came of a name or a file.
public enum PresetError: Error, Equatable, Sendable {
    /// No shipped preset or alias has this name.
    case unknown(name: String, suggestions: [String])

    /// The name is AVFoundation's, but what it stands for cannot be made here.
    case unsupported(name: String, reason: String)

    /// A user's preset has the name of a shipped one, so that it would not be clear which is meant.
    case shadowed(name: String, path: String)

    /// The preset file cannot be read.
    case unreadable(path: String, reason: String)

    /// The system does not let this user read the preset file.
    case notPermitted(path: String)

    /// The preset file holds something else than a preset; `key` is a path such as `video.crf`, or empty.
    case invalid(path: String, key: String, reason: String)

    /// A field of a preset cannot be changed so for one export.
    case change(PresetChange, preset: String, reason: String)
}

extension PresetError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknown(let name, let suggestions):
            let meant = suggestions.map { "'\($0)'" }.joined(separator: " or ")
            let advice = meant.isEmpty ? "" : " Did you mean \(meant)?"
            return "Cannot use preset \(QuotedText(name)): no preset has this name.\(advice)"
                + " A file is given by a path with '/' or ending in '.json'."
        case .unsupported(let name, let reason):
            return "Cannot use preset \(QuotedText(name)): \(reason)."
        case .shadowed(let name, let path):
            return
                "Cannot use preset \(QuotedText(name)): it is shipped, and \(QuotedText(path)) has"
                + " the same name. Rename that file."
        case .unreadable(let path, let reason):
            return "Cannot read preset file \(QuotedText(path)): \(reason)."
                + " Give the path of a preset's JSON file."
        case .notPermitted(let path):
            return "Cannot read preset file \(QuotedText(path)): permission is denied."
        case .invalid(let path, let key, let reason):
            let place = key.isEmpty ? "the file" : "key \(QuotedText(key))"
            return "Cannot use preset file \(QuotedText(path)): \(place) \(reason)."
        case .change(let change, let preset, let reason):
            return
                "Cannot set \(QuotedText("\(change)")) in preset \(QuotedText(preset)): it \(reason)."
        }
    }
}
