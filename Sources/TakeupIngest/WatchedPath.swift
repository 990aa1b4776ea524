internal import Foundation
internal import TakeupFiles
internal import TakeupModel
package import TakeupWatch

/// A path as watched folders know it.
package struct WatchedPath: Equatable, Sendable {
    /// Absolute.
    package let folder: String
    /// From the folder on; empty for the folder itself.
    package let path: String

    /// A file of a watched folder.
    package init(folder: String, path: String) { (self.folder, self.path) = (folder, path) }

    /// The watched folder that a path lies in, the innermost one; nil when there is none.
    ///
    /// - Parameters:
    ///   - path: Absolute, as it is written or with its links resolved.
    ///   - folders: All that are or were watched.
    package init?(_ path: String, among folders: [String]) {
        let names = Self.spellings(path)
        let found = folders.filter { folder in
            names.contains { Folder.path(from: folder, to: $0) != nil }
        }
        guard let folder = found.max(by: { $0.utf8.count < $1.utf8.count }),
            let path = names.lazy.compactMap({ Folder.path(from: folder, to: $0) }).first
        else { return nil }
        self.folder = folder
        self.path = path
    }

    /// As it is written before where its links lead, which may be to another file of the same folder.
    private static func spellings(_ path: String) -> [String] {
        let names = Folder.names(of: path).filter { $0 != "." && !$0.isEmpty }
        let plain = "/\(names.joined(separator: "/"))"
        // What is above a link's target is not what is above the link.
        return names.contains("..")
            ? [resolved(plain)] : [plain, resolved(plain), Folder.resolved(plain)]
    }

    /// The path with the links of its folder resolved, whether or not the file is there.
    package static func resolved(_ path: String) -> String {
        let names = Folder.names(of: path)
        guard let name = names.last, name != ".." else { return Folder.resolved(path) }
        let folder = Folder.resolved("/\(names.dropLast().joined(separator: "/"))")
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// Every file that is known under some absolute paths.
    ///
    /// - Throws: `Failure` for a path under which nothing is known; `WatchError`.
    package static func found(
        _ paths: [String], _ ledger: WatchLedger
    ) throws -> [WatchedFile] {
        let folders = try ledger.folders()
        var files: [WatchedFile] = []
        for name in paths {
            guard let place = WatchedPath(name, among: folders) else {
                throw Failure.notWatched(name, folders)
            }
            let known = try ledger.files(in: place.folder).filter { file in
                place.path.isEmpty || Folder.path(from: place.path, to: file.path) != nil
            }
            guard !known.isEmpty else {
                let last = try ledger.lastFile(place.path, in: place.folder)
                // A file that has come back under the name is a new one.
                let isThere = FileManager.default.fileExists(atPath: name)
                throw last == nil || isThere ? Failure.unknown(name) : Failure.gone(name)
            }
            files += known
        }
        return files
    }
}
