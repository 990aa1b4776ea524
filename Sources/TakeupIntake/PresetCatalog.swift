import Foundation
import TakeupFiles
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

    /// Which files may be read; nil for all.
    private let paths: PathRule?

    init(own: PresetFolder?, paths: PathRule? = nil) { (self.own, self.paths) = (own, paths) }

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
        let place = ExportPreset.isPath(name) ? ListPath.absolute(name, from: folder) : name
        let key = Key(
            place: place, ending: (output ?? "").lowercased().suffix(4),
            changes: changes)
        if let result = known[key] { return try result.get() }
        do throws(PresetError) {
            let found =
                paths != nil && ExportPreset.isPath(name)
                ? try unlinked(place) : try ExportPreset.resolve(place, in: own)
            let preset = try found.setting(changes).writing(to: output ?? "")
            known[key] = .success(preset)
            return preset
        } catch {
            known[key] = .failure(error)
            throw error
        }
    }

    /// Reads a file that no link has led to.
    private func unlinked(_ path: String) throws(PresetError) -> ExportPreset {
        let file = AnchoredPath.openWithoutLinks(
            paths?.source(path) ?? "", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            guard errno != EACCES else { throw .notPermitted(path: path) }
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(file) }
        guard FileIdentity(descriptor: file) != nil else {
            throw .unreadable(path: path, reason: "it is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: ExportPreset.longestFile + 1)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        return try ExportPreset.decode(Data(bytes.prefix(count)), from: path)
    }
}
