import TakeupIntake
import TakeupModel

/// What a shell offers while a value is being typed.
enum CompletionKind: Sendable, Equatable {
    case nothing, file, directory
    /// A shipped preset's name, or a file.
    case preset
    /// A shipped template's name, or a file.
    case template
    /// A field of a preset and a `=`.
    case presetField

    /// Whether a file's name may stand there.
    var isFile: Bool {
        switch self {
        case .file, .directory, .preset, .template: true
        case .nothing, .presetField: false
        }
    }

    /// The words of the kind.
    func words(presets: [String]) -> [String] {
        switch self {
        case .preset: presets
        case .template: CompositionTemplate.shipped.map(\.name)
        case .presetField: ExportPreset.fields.map { "\($0)=" }
        case .nothing, .file, .directory: []
        }
    }
}
