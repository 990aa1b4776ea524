internal import Foundation

extension OpenFolder {
    /// Opens a folder whose path has no link, as a place to reach what is in it by `anchoredPath`.
    ///
    /// Anyone who swaps a link into the path meanwhile gains nothing: the open folder stays the same.
    ///
    /// - Parameters:
    ///   - path: Absolute.
    ///   - makes: Whether missing folders are made.
    /// - Throws: `FileError` with `.failed` or `.notCreated`; with `ELOOP` if a link is on the path.
    public convenience init(withoutLinks path: String, makes: Bool) throws(FileError) {
        let flags = AnchoredPath.placeOnly | O_DIRECTORY
        let opened = AnchoredPath.openWithoutLinks(path, flags)
        if opened >= 0 {
            self.init(opened, path)
            return
        }
        guard makes, errno == ENOENT, path != "/" else { throw .failed(path, errno: errno) }
        let parent = try OpenFolder(withoutLinks: Folder.containing(path), makes: true)
        let name = Folder.lastName(of: path)
        guard mkdirat(parent.descriptor, name, Self.usualMode) == 0 || errno == EEXIST else {
            throw .creating(path, errno)
        }
        let made = AnchoredPath.open(name, beneath: parent.descriptor, flags)
        guard made >= 0 else { throw .failed(path, errno: errno) }
        self.init(made, path)
    }

    /// Opens the nearest folder on a path that is there; the path has no link.
    ///
    /// - Throws: As `init(withoutLinks:makes:)`.
    public static func nearest(withoutLinks path: String) throws(FileError) -> OpenFolder {
        var path = path
        while true {
            do throws(FileError) {
                return try OpenFolder(withoutLinks: path, makes: false)
            } catch {
                guard case .failed(_, ENOENT) = error, path != "/" else { throw error }
                path = Folder.containing(path)
            }
        }
    }
}
