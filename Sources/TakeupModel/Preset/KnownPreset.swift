internal import Foundation

/// A preset that can be asked for by its name, and where it comes from.
package struct KnownPreset: Encodable, Sendable {
    /// The origin of presets that are part of the program.
    package static let shipped = "shipped"

    package let preset: ExportPreset
    /// `shipped`, or a file's path.
    package let from: String

    package init(preset: ExportPreset, from: String) {
        (self.preset, self.from) = (preset, from)
    }

    private enum Key: String, CodingKey {
        case from
    }

    /// The preset's own keys, and `from`.
    package func encode(to encoder: any Encoder) throws {
        try preset.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(from, forKey: .from)
    }

    /// Lists all presets that have a name, the shipped ones first.
    ///
    /// - Parameters:
    ///   - folder: The user's own presets; nil for none.
    ///   - onFault: Called for each file of the folder that is no preset.
    /// - Returns: The user's own by the names of their files.
    package static func all(
        in folder: PresetFolder?, onFault: (PresetError) -> Void = { _ in }
    ) -> [KnownPreset] {
        var known = ExportPreset.shipped.map { KnownPreset(preset: $0, from: shipped) }
        guard let folder else { return known }
        for (name, preset) in folder.entries() {
            switch preset {
            case .success(let preset):
                known.append(KnownPreset(preset: preset, from: folder.file(name)))
            case .failure(let error): onFault(error)
            }
        }
        return known
    }
}
