internal import TakeupFiles

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

    /// Suffixes of what commonly lies beside media.
    private static let besides: Set<String> = [
        "ass", "bak", "bin", "bmp", "conf", "css", "csv", "cue", "db", "doc", "docx", "edl",
        "heic", "htm", "html", "ico", "idx", "ini", "jpeg", "jpg", "json", "jsonl", "log", "m3u",
        "m3u8",
        "md", "md5", "nfo", "otio", "pdf", "png", "psd", "py", "sfv", "sh", "sha256", "srt", "ssa",
        "sub", "svg", "swift", "thm", "tif", "tiff", "toml", "tsv", "txt", "url", "vtt", "webp",
        "xml", "xmp", "yaml", "yml", "zip",
    ]

    /// What a file's name says of it.
    enum Kind {
        case media, unfinished, hidden, besides, unknown

        /// Why such a file is passed over; nil for media.
        var reason: String? {
            switch self {
            case .media: nil
            case .unfinished: "an unfinished copy by its name"
            case .hidden: "hidden"
            case .besides: "no media"
            case .unknown: "not a media suffix"
            }
        }

        /// Whether nobody would look for it among the jobs.
        var isExpected: Bool { self == .hidden || self == .besides }
    }

    /// Whether a file's name ends like that of media and does not speak of an unfinished copy.
    public static func isMedia(_ name: String) -> Bool { kind(of: name) == .media }

    static func kind(of name: String) -> Kind {
        if isHidden(name) { return .hidden }
        let (stem, suffix) = ListPath.split(name)
        let ending = suffix.lowercased()
        if name.hasPrefix("~") || unfinished.contains(ending) { return .unfinished }
        guard extensions.contains(ending) else {
            return besides.contains(ending) ? .besides : .unknown
        }
        return unfinished.contains(ListPath.split(stem).suffix.lowercased()) ? .unfinished : .media
    }

    /// Whether a folder is hidden, a system's own, or one that something is being unpacked into.
    public static func isPassedOver(folder name: String) -> Bool {
        isHidden(name) || name.hasPrefix("@") || name.hasPrefix("#") || name.hasPrefix("$")
            || name == "lost+found" || name.hasPrefix("_UNPACK_") || name.hasPrefix("_FAILED_")
    }

    private static func isHidden(_ name: String) -> Bool { Folder.isHidden(name) }
}
