internal import TakeupFiles

/// Names that speak of a file which is still being written, or which is nobody's media.
///
/// A file that is passed over by its name is never opened, moved or removed.
public enum TemporaryName {
    /// Suffixes that programs give to files while they write them, in lower case.
    private static let unfinished: Set<String> = [
        "!qb", "!sync", "!ut", "aria2", "az!", "bc!", "bts", "crdownload", "dltmp", "download",
        "filepart", "filetmp", "jc!", "lftp-pget-status", "opdownload", "part", "partial",
        "rsync-partial", "td", "temp", "tmp", "unfinished", "xltd", "ytdl",
    ]
    /// Those suffixes that may also come before a media suffix, as in `clip.part.mp4`.
    private static let unfinishedInside: Set<String> = [
        "crdownload", "filepart", "part", "partial", "temp", "tmp", "unfinished",
    ]
    private static let editors: Set<String> = ["bak", "kate-swp", "lock", "swo", "swp", "swx"]
    private static let systemFolders: Set<String> = [
        "$recycle.bin", "@eadir", "@recycle", "#recycle", "#snapshot", "lost+found",
        "system volume information", "__macosx",
    ]
    private static let unpacking = ["_unpack_", "_failed_"]

    /// Why a path is to be passed over.
    ///
    /// - Parameter path: From the watched folder on, with `/` between names; the last one is a file's.
    /// - Returns: The reason in words; nil for a name that says nothing against the file.
    public static func reason(_ path: String) -> String? {
        let names = path.unicodeScalars.split(separator: "/").map { String($0) }
        guard let file = names.last else { return "it has no name" }
        for folder in names.dropLast() {
            if let reason = reason(folder: folder) { return reason }
        }
        return reason(file: file.lowercased())
    }

    /// Why a folder is not to be entered, by its own name.
    ///
    /// - Returns: The reason in words; nil for a folder to be entered.
    public static func reason(folder name: String) -> String? {
        let name = name.lowercased()
        if Folder.isHidden(name) { return "in a hidden folder" }
        if systemFolders.contains(name) { return "in a folder of the system's own" }
        if unpacking.contains(where: name.hasPrefix) { return "in a folder being unpacked into" }
        if let suffix = suffix(name), unfinished.contains(suffix) {
            return "in a folder that is still being filled"
        }
        return nil
    }

    private static func reason(file name: String) -> String? {
        if Folder.isHidden(name) { return "hidden" }
        if name.hasPrefix("~$") || name.hasPrefix("~") || name.hasSuffix("~") {
            return "a program's own copy"
        }
        if name.hasPrefix("#"), name.hasSuffix("#") { return "a program's own copy" }
        if unpacking.contains(where: name.hasPrefix) { return "still being unpacked" }
        if let suffix = suffix(name) {
            if unfinished.contains(suffix) || suffix.hasPrefix("part-frag") {
                return "an unfinished copy by its name"
            }
            if editors.contains(suffix) { return "a program's own copy" }
            if suffix.hasPrefix("sb-") { return "an unfinished save by its name" }
            let stem = name.dropLast(suffix.count + 1)
            if let inner = Self.suffix(String(stem)), unfinishedInside.contains(inner) {
                return "an unfinished copy by its name"
            }
        }
        return nil
    }

    /// What follows the last dot, when something stands before it.
    private static func suffix(_ name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return String(name[name.index(after: dot)...])
    }
}
