internal import Foundation
internal import TakeupFiles

/// A source that is open, with its folder, and the name by which it is known there.
///
/// Between a look at a name and a call on it another file may take the name. So nothing is removed or replaced under its
/// own name: it gets one that only its action has, and is looked at again there. The folder stays the one that it was
/// found in, whatever becomes of the names above it.
final class SourceFile {
    /// As it is shown.
    let path: String
    let folder: OpenFolder
    let name: String
    let descriptor: Int32
    private let facts: stat

    /// The name that an action keeps a source under which it is about to remove; the same after a kill.
    static func heldName(job: String) -> String {
        let name = job.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(64)
        return ".takeup-\(name).source"
    }

    /// Opens a source; nil when nothing has the name.
    ///
    /// - Parameters:
    ///   - path: From the watched folder on.
    ///   - root: The watched folder: links in its own path are followed.
    /// - Throws: `WatchError.failed`; `ELOOP` for a symbolic link, be it a folder above it.
    convenience init?(_ path: String, in root: String) throws(WatchError) {
        let folder: OpenFolder
        do throws(FileError) {
            let above = Folder.containing(path)
            folder = try OpenFolder(root).folder(above == "." ? "" : above)
        } catch {
            guard case .failed(_, let errno) = error, errno == ENOENT || errno == ENOTDIR else {
                throw WatchError(error)
            }
            return nil
        }
        try self.init(Folder.lastName(of: path), in: folder)
    }

    /// A file in a folder that is trusted.
    ///
    /// - Parameter path: Absolute.
    /// - Throws: `WatchError.failed`.
    convenience init?(_ path: String) throws(WatchError) {
        try self.init(Folder.lastName(of: path), in: Folder.containing(path))
    }

    init?(_ name: String, in folder: OpenFolder) throws(WatchError) {
        let path = folder.shown(name)
        let opened = folder.openFile(name)
        guard opened >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .failed(path: path, errno: errno)
        }
        var facts = stat()
        fstat(opened, &facts)
        (self.path, self.folder, self.name) = (path, folder, name)
        (descriptor, self.facts) = (opened, facts)
    }

    deinit { close(descriptor) }

    var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

    /// The file system that it is on.
    var device: UInt64 { UInt64(facts.st_dev) }

    /// Whether a name leads to this very file.
    func isAt(_ name: String, in folder: OpenFolder) -> Bool {
        folder.holds(name, device: device, inode: UInt64(facts.st_ino))
    }

    /// Gives another file its permissions, owner and times, as far as this user may.
    ///
    /// - Parameter other: An open file.
    func giveTraits(to other: Int32) {
        FileTraits(descriptor: descriptor)?.give(to: other)
    }

    /// Gives it another name, unless that is taken.
    ///
    /// - Parameters:
    ///   - target: The name.
    ///   - other: Its folder.
    /// - Returns: 0, or an errno; `ESTALE` when another file had the name, which has it again.
    func rename(to target: String, in other: OpenFolder) -> Int32 {
        let reason = folder.move(name, to: other, target)
        guard reason == 0, !isAt(target, in: other) else { return reason }
        // Who was so quick may have been so twice: then that file stays under the new name rather than to be lost.
        _ = other.move(target, to: folder, name)
        return ESTALE
    }
}
