import Foundation
import TakeupExport
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
        let isSoundOnly: Bool
    }

    private var known: [Key: Result<Entry, PresetError>] = [:]

    /// - Parameters:
    ///   - name: A shipped preset's name or alias, or a file's path.
    ///   - folder: Where a relative path starts.
    ///   - isSoundOnly: Whether the picture is to be left out.
    /// - Returns: The preset as it is now; later changes of its file do not reach it.
    /// - Throws: Also for a preset without sound when the picture is left out.
    mutating func entry(
        _ name: String, from folder: String, isSoundOnly: Bool
    ) throws(PresetError) -> Entry {
        let isPath = name.contains("/") || name.hasSuffix(".json")
        let place = isPath ? ListPath.absolute(name, from: folder) : name
        let key = Key(place: place, isSoundOnly: isSoundOnly)
        if let result = known[key] { return try result.get() }
        do throws(PresetError) {
            let preset = try ExportPreset.resolve(place)
            let entry = try Self.entry(isSoundOnly ? preset.soundOnly : preset)
            known[key] = .success(entry)
            return entry
        } catch {
            known[key] = .failure(error)
            throw error
        }
    }

    private static func entry(_ preset: ExportPreset) throws(PresetError) -> Entry {
        guard preset.video != nil || preset.audio != nil else {
            throw .unsupported(name: preset.name, reason: "it holds no sound, which .m4a needs")
        }
        return Entry(
            snapshot: PresetSnapshot(name: preset.name, content: try preset.canonicalJSON()),
            fileExtension: preset.container.rawValue)
    }
}
