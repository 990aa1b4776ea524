internal import Foundation
internal import TakeupFiles

/// A source that is open, under the name by which it is known.
///
/// Between a look at a name and a call on it another file may take the name. So nothing is removed or replaced under its
/// own name: it gets one that only its action has, and is looked at again there.
final class SourceFile {
    let path: String
    let descriptor: Int32
    private let facts: stat

    /// Where an action keeps a source that it is about to remove; the same after a kill.
    static func heldPath(of path: String, job: String) -> String {
        let name = job.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(64)
        return "\(Folder.containing(path))/.takeup-\(name).source"
    }

    /// - Returns: nil when nothing has the name.
    /// - Throws: `WatchError.failed`; `ELOOP` for a symbolic link.
    init?(_ path: String) throws(WatchError) {
        let opened = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .failed(path: path, errno: errno)
        }
        var facts = stat()
        fstat(opened, &facts)
        (self.path, descriptor, self.facts) = (path, opened, facts)
    }

    deinit { close(descriptor) }

    var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

    /// Whether a name leads to this very file.
    func isAt(_ path: String) -> Bool {
        var other = stat()
        return lstat(path, &other) == 0 && other.st_dev == facts.st_dev
            && other.st_ino == facts.st_ino
    }

    /// Gives another file its permissions, owner and times, as far as this user may.
    ///
    /// - Parameters:
    ///   - other: An open file.
    ///   - rights: Those that it may get.
    func giveTraits(to other: Int32, rights: mode_t = 0o7777) {
        fchown(other, facts.st_uid, facts.st_gid)
        // After the owner, which takes away what only that one may set.
        fchmod(other, facts.st_mode & rights)
        var times = [facts.st_atim, facts.st_mtim]
        futimens(other, &times)
    }

    /// Gives it another name, unless that is taken.
    ///
    /// - Returns: 0, or an errno; `ESTALE` when another file had the name, which has it again.
    func rename(to target: String) -> Int32 {
        let reason = Self.move(path, to: target)
        guard reason == 0, !isAt(target) else { return reason }
        // Who was so quick may have been so twice: then that file stays under the new name rather than to be lost.
        _ = Self.move(target, to: path)
        return ESTALE
    }

    /// Renames without replacing; where the system cannot do that, by a look before.
    private static func move(_ path: String, to target: String) -> Int32 {
        let reason = ExclusiveRename.move(path, to: target)
        guard reason == ENOSYS || reason == EINVAL else { return reason }
        if access(target, F_OK) == 0 { return EEXIST }
        return Foundation.rename(path, target) == 0 ? 0 : errno
    }
}
