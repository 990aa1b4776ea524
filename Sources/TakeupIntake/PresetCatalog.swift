import Foundation
import TakeupModel
import TakeupJobs

/// The presets that a list names, each read once.
struct PresetCatalog {
    /// A preset as a job takes it along.
    struct Entry {
        let snapshot: PresetSnapshot
        let fileExtension: String
    }

    private struct Key: Hashable {
        let place: String
        let ending: Substring
        let changes: [PresetChange]
    }

    /// The user's own presets.
    private let own: PresetFolder?

    private var known: [Key: Result<Entry, PresetError>] = [:]

    init(own: PresetFolder?) { self.own = own }

    /// - Parameters:
    ///   - name: A shipped preset's name or alias, or a file's path.
    ///   - folder: Where a relative path starts.
    ///   - changes: Of the preset's fields.
    ///   - output: The file to be written, whose ending decides about the container; nil where none is named.
    /// - Returns: The preset as it is now; later changes of its file do not reach it.
    /// - Throws: Also for a preset without sound when the output is to be sound alone.
    mutating func entry(
        _ name: String, from folder: String, setting changes: [PresetChange], output: String?
    ) throws(PresetError) -> Entry {
        let isPath = name.contains("/") || name.hasSuffix(".json")
        let place = isPath ? ListPath.absolute(name, from: folder) : name
        let key = Key(
            place: place, ending: (output ?? "").lowercased().suffix(4),
            changes: changes)
        if let result = known[key] { return try result.get() }
        do throws(PresetError) {
            let preset = try ExportPreset.resolve(place, in: own).setting(changes)
            let entry = try Self.entry(try preset.writing(to: output ?? ""))
            known[key] = .success(entry)
            return entry
        } catch {
            known[key] = .failure(error)
            throw error
        }
    }

    private static func entry(_ preset: ExportPreset) throws(PresetError) -> Entry {
        Entry(
            snapshot: PresetSnapshot(name: preset.name, content: try preset.canonicalJSON()),
            fileExtension: preset.container.rawValue)
    }
}
