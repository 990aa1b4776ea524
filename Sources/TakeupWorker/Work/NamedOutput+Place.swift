internal import Foundation
internal import TakeupFiles

extension NamedOutput {
    /// The folder that an output comes into.
    struct Place {
        /// Held open where the path may have no link: one that is swapped in later leads nowhere.
        private let folder: OpenFolder?

        /// Makes the folder where it is missing.
        ///
        /// - Throws: `FileError`.
        init(of path: String, followsLinks: Bool) throws(FileError) {
            let container = Folder.containing(path)
            if followsLinks {
                try Self.make(container)
                folder = nil
            } else {
                folder = try OpenFolder(withoutLinks: container, makes: true)
            }
        }

        /// How this process gets at a name of the folder.
        func reach(_ path: String) -> String {
            folder.map { $0.anchoredPath(Folder.lastName(of: path)) } ?? path
        }

        private static func make(_ folder: String) throws(FileError) {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
            } catch {
                let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
                let code = reason.map { Int32(($0 as NSError).code) } ?? EACCES
                // What has the folder's name already is something else.
                throw .creating(folder, code == EEXIST ? ENOTDIR : code)
            }
        }
    }
}
