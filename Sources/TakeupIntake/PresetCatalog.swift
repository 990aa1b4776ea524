import Foundation
import TakeupModel
import TakeupJobs

/// The presets that a list names, each read once.
struct PresetCatalog {
    private struct Key: Hashable {
        let place: String
        let ending: Substring
        let changes: [PresetChange]
    }

    /// The user's own presets.
    private let own: PresetFolder?

    private var known: [Key: Result<ExportPreset, PresetError>] = [:]

    init(own: PresetFolder?) { self.own = own }

    /// - Parameters:
    ///   - name: A shipped preset's name or alias, or a file's path.
    ///   - folder: Where a relative path starts.
    ///   - changes: Of the preset's fields.
    ///   - output: The file to be written, whose ending decides about the container; nil where none is named.
    /// - Returns: The preset as it is now; later changes of its file do not reach it.
    /// - Throws: Also for a preset without sound when the output is to be sound alone.
    mutating func preset(
        _ name: String, from folder: String, setting changes: [PresetChange], output: String?
    ) throws(PresetError) -> ExportPreset {
        let isPath = name.contains("/") || name.hasSuffix(".json")
        let place = isPath ? ListPath.absolute(name, from: folder) : name
        let key = Key(
            place: place, ending: (output ?? "").lowercased().suffix(4),
            changes: changes)
        if let result = known[key] { return try result.get() }
        do throws(PresetError) {
            let preset = try ExportPreset.resolve(place, in: own).setting(changes)
                .writing(to: output ?? "")
            known[key] = .success(preset)
            return preset
        } catch {
            known[key] = .failure(error)
            throw error
        }
    }
}
