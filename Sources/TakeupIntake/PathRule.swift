internal import Foundation
public import TakeupFiles

/// Which paths a caller may name whom the file system's rights do not stop.
///
/// Links are resolved when a path is checked. Whoever opens the resolved path later must follow no link, so that one
/// that was swapped in meanwhile leads nowhere.
public struct PathRule: Sendable, Equatable {
    /// Folders below which everything may be named; absolute, links resolved.
    private let folders: [String]
    /// Never named, also below an allowed folder; absolute, links resolved.
    private let refused: [String]
    /// Holds a folder for each upload; absolute, links resolved.
    private let uploads: String?

    /// - Parameters:
    ///   - folders: Below which everything may be named.
    ///   - refused: Never named, also below an allowed folder.
    ///   - uploads: Its files may be named as `upload:ID` and by their paths, as sources alone.
    public init(folders: [String], refused: [String], uploads: String?) {
        self.folders = folders.map(Folder.resolved)
        self.refused = refused.map(Folder.resolved)
        self.uploads = uploads.map(Folder.resolved)
    }

    /// The folders that are allowed and refused at once, so that nothing below them may be named.
    public var closedFolders: [String] { folders.filter(isRefused) }

    /// Where relative paths start: the first allowed folder.
    public var base: String { folders.first ?? "/" }

    /// The path of a file to read, without links.
    ///
    /// - Returns: nil for a path that may not be named, whether or not it exists.
    public func source(_ path: String) -> String? {
        guard !path.utf8.contains(0), Folder.isAbsolute(path) else { return nil }
        let place = Folder.resolved(path)
        if let uploads, Self.lies(place, below: uploads) { return place }
        return permits(place) && !Self.isLink(place) ? place : nil
    }

    /// The path of a file to write, without links on the way to it.
    ///
    /// - Returns: nil for a path that may not be named, whether or not it exists.
    public func output(_ path: String) -> String? {
        guard !path.utf8.contains(0), Folder.isAbsolute(path) else { return nil }
        let isFolder = Folder.endsInSlash(path)
        let whole = isFolder ? String(Substring(path.utf8.dropLast())) : path
        // The output takes its name from a link that has it, and does not go where that leads.
        let name = Folder.lastName(of: whole)
        guard isFolder || !["", ".", ".."].contains(name) else { return nil }
        let folder = Folder.resolved(isFolder ? whole : Folder.containing(whole))
        guard permits(folder) || folders.contains(folder) && !isRefused(folder),
            !Self.isLink(folder)
        else { return nil }
        return isFolder ? "\(folder)/" : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// The path of an uploaded file.
    ///
    /// - Parameter name: What follows `upload:`: an id, or an id, a slash and the file's name.
    /// - Returns: nil for one that is not there, or not complete.
    /// - Throws: `FileError.failed` where that cannot be told now.
    public func upload(_ name: some StringProtocol) throws(FileError) -> String? {
        guard let uploads else { return nil }
        let parts = String(name).utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard (1...2).contains(parts.count), UploadName.isID(parts[0]) else { return nil }
        let folder = "\(uploads)/\(parts[0])"
        let names = try Folder.names(in: folder)
        // Where even the folder of all uploads is away, its disk is, and nothing is known of any.
        if names == nil, Folder.isAbsent(uploads) { throw .failed(uploads, errno: ENOENT) }
        let found = (names ?? []).filter { !Folder.isHidden($0) }
        guard found.count == 1, parts.count == 1 || parts[1] == found[0] else { return nil }
        return "\(folder)/\(found[0])"
    }

    private func permits(_ place: String) -> Bool {
        !isRefused(place) && folders.contains { Self.lies(place, below: $0) }
    }

    private func isRefused(_ place: String) -> Bool {
        refused.contains { Folder.path(from: $0, to: place) != nil }
    }

    /// Whether a link without a target is on the way, which may lead anywhere later.
    private static func isLink(_ place: String) -> Bool {
        let opened = AnchoredPath.openWithoutLinks(place, AnchoredPath.placeOnly)
        guard opened >= 0 else { return errno == ELOOP }
        defer { close(opened) }
        var facts = stat()
        return fstat(opened, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }

    private static func lies(_ place: String, below folder: String) -> Bool {
        Folder.path(from: folder, to: place).map { !$0.isEmpty } ?? false
    }
}
