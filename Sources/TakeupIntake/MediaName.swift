/// Which files of a folder look like media by their names.
///
/// What is inside is found out later: this only keeps side files and downloads that still run out of the queue.
public enum MediaName {
    private static let extensions: Set<String> = [
        "3g2", "3gp", "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "asf", "au", "avi",
        "caf", "divx", "dts", "dv", "eac3", "f4v", "flac", "flv", "gif", "gxf", "ivf", "m2t",
        "m2ts", "m2v", "m4a", "m4b", "m4v", "mjpeg", "mka", "mkv", "mod", "mov", "mp2", "mp3",
        "mp4", "mpe", "mpeg", "mpg", "mpv", "mts", "mxf", "nut", "oga", "ogg", "ogm", "ogv",
        "opus", "qt", "rm", "rmvb", "spx", "tod", "tp", "trp", "ts", "tta", "vob", "w64", "wav",
        "webm", "wma", "wmv", "wtv", "wv", "y4m",
    ]

    private static let unfinished: Set<String> = [
        "part", "partial", "tmp", "temp", "crdownload", "download", "filepart", "unfinished",
    ]

    /// Whether a file's name ends like that of media and does not speak of an unfinished copy.
    public static func isMedia(_ name: String) -> Bool {
        guard !isHidden(name), !name.hasPrefix("~") else { return false }
        let (stem, suffix) = ListPath.split(name)
        guard extensions.contains(suffix.lowercased()) else { return false }
        return !unfinished.contains(ListPath.split(stem).suffix.lowercased())
    }

    /// Whether a folder is hidden, a system's own, or one that something is being unpacked into.
    public static func isPassedOver(folder name: String) -> Bool {
        isHidden(name) || name.hasPrefix("@") || name.hasPrefix("#") || name.hasPrefix("$")
            || name == "lost+found" || name.hasPrefix("_UNPACK_") || name.hasPrefix("_FAILED_")
    }

    private static func isHidden(_ name: String) -> Bool { name.hasPrefix(".") }
}
