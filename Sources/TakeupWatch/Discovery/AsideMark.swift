internal import Foundation
internal import TakeupFiles

/// Marks a folder to which sources were moved: it tells that without any database, too.
///
/// An attribute of the folder, or a file in it where the file system has no such.
public enum AsideMark {
    static let attribute = "user.takeup.aside"
    static let fileName = ".takeup-aside"
    private static let text = """
        Takeup moves sources to this folder. While this file is here, nothing in it is taken again.

        """

    /// Marks a folder inside a watched one, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - path: Of the folder, from `root` on; no link is followed.
    ///   - root: The watched folder; absolute.
    /// - Throws: `WatchError`.
    public static func put(in path: String, below root: String) throws(WatchError) {
        do throws(FileError) {
            let folder = try OpenFolder(root).makeFolder(path)
            guard !isOn(folder.descriptor), folder.mark(attribute) != 0 else { return }
            try putFile(in: folder)
        } catch {
            if case .exists = error { return }
            throw WatchError(error)
        }
    }

    static func putFile(in folder: OpenFolder) throws(FileError) {
        let mark = try PartialFile(for: folder.anchoredPath(fileName))
        try mark.write(Array(text.utf8))
        _ = try mark.publish(.fail)
    }

    /// Whether an open folder is marked.
    static func isOn(_ folder: Int32) -> Bool {
        OpenFolder.isMarked(folder, attribute)
            || faccessat(folder, fileName, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether a folder inside a watched one is marked.
    ///
    /// - Parameters:
    ///   - path: From `root` on.
    ///   - root: The watched folder; absolute.
    /// - Returns: `false` also for what is no folder.
    public static func isOn(_ path: String, below root: String) -> Bool {
        let folder = AnchoredPath.open(path, below: root, O_RDONLY | O_DIRECTORY)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        return isOn(folder)
    }
}
