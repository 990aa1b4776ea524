internal import Foundation

/// Looks at where an output shall go before any work is done for it.
enum Destination {
    /// - Throws: `ExportError` with `.outputExists` for a name that is taken and may not be replaced, or that is
    ///   one of the sources; `.outputNotCreated` for a folder.
    static func check(
        _ path: String, settings: ExportSettings, sources: [String]
    ) throws(ExportError) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return }
        if facts.st_mode & S_IFMT == S_IFDIR {
            throw .outputNotCreated(path, reason: "it is a folder")
        }
        for source in sources {
            var other = stat()
            guard stat(source, &other) == 0 else { continue }
            if other.st_dev == facts.st_dev, other.st_ino == facts.st_ino,
                settings.overwrite != .unique
            {
                throw .outputNotCreated(path, reason: "it is the source itself")
            }
        }
        if settings.overwrite == .fail { throw .outputExists(path) }
        if settings.overwrite == .replace, facts.st_mode & S_IFMT != S_IFREG {
            throw .outputNotCreated(path, reason: "it is not a regular file")
        }
    }
}
