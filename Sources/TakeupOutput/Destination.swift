internal import Foundation
internal import TakeupFiles
package import TakeupModel

/// Looks at where an output shall go before any work is done for it.
package enum Destination {
    /// Looks at both files of an export.
    ///
    /// - Throws: As `check`, and `.outputNotCreated` for a poster whose path is the output's, whose folder
    ///   is not there, or whose name tells no format.
    package static func checkAll(
        _ path: String, settings: ExportSettings, sources: [String]
    ) throws(ExportError) {
        try check(path, settings: settings, sources: sources)
        try checkPoster(beside: path, settings: settings, sources: sources)
    }

    /// Looks at the poster of an export alone.
    ///
    /// - Throws: As `checkAll` for it.
    package static func checkPoster(
        beside path: String, settings: ExportSettings, sources: [String]
    ) throws(ExportError) {
        guard let poster = settings.posterPath else { return }
        guard let place = Place(poster) else {
            throw .outputNotCreated(poster, reason: "its folder does not exist")
        }
        if place == Place(path) {
            throw .outputNotCreated(poster, reason: "it is the output itself")
        }
        try check(poster, settings: settings, sources: sources)
        guard PosterFormat(path: poster) != nil else {
            throw .outputNotCreated(
                poster, reason: "its name has no suffix of a picture format; \(PosterFormat.hint)")
        }
    }

    /// A name in a folder, however the folder's path is spelt.
    private struct Place: Equatable {
        let device: UInt64
        let folder: UInt64
        let name: String

        /// - Returns: nil when the folder does not exist.
        init?(_ path: String) {
            var facts = stat()
            guard stat(Folder.containing(path), &facts) == 0,
                facts.st_mode & S_IFMT == S_IFDIR
            else { return nil }
            (device, folder) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
            name = Folder.names(of: path).last ?? ""
        }
    }

    /// - Throws: `ExportError` with `.outputExists` for a name that is taken and may not be replaced, or that is
    ///   one of the sources; `.outputNotCreated` for a folder.
    package static func check(
        _ path: String, settings: ExportSettings, sources: [String]
    ) throws(ExportError) {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            // A link that leads nowhere has the name all the same.
            let isTaken = settings.overwrite == .fail && lstat(path, &facts) == 0
            if isTaken { throw .outputExists(path) }
            return
        }
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
