internal import Foundation

/// Opens that stay below a folder: whoever may write there can exchange any name on the way for a symbolic link.
public enum AnchoredPath {
    /// `O_PATH`, a macro that Swift does not see: a place, open neither for reading nor for writing.
    ///
    /// - Note: Source: `asm-generic/fcntl.h`.
    public static let placeOnly: Int32 = 0o10000000

    /// Opens what a path leads to, without following any link and without leaving the folder.
    ///
    /// - Parameters:
    ///   - path: From the folder on.
    ///   - root: An open folder.
    ///   - flags: Of `open`, but none that creates; `O_NOFOLLOW` and `O_CLOEXEC` need not be said.
    /// - Returns: A descriptor; -1, and `errno`, which is `ELOOP` where a link is on the way. The link itself is
    ///   opened where it is the last name and the flags have `placeOnly`.
    public static func open(_ path: String, beneath root: Int32, _ flags: Int32) -> Int32 {
        let all = flags | O_NOFOLLOW | O_CLOEXEC
        // For a folder the call itself refuses links; `O_NOFOLLOW` would make that ENOTDIR.
        let asked = flags & O_DIRECTORY == 0 ? all : flags | O_CLOEXEC
        let opened = SystemOpen.beneath(root, path, asked)
        if opened >= 0 { return opened }
        // An old kernel, or a container's filter that does not know the call.
        if opened == -ENOSYS || opened == -EPERM { return walk(path, beneath: root, all) }
        errno = -opened
        return -1
    }

    /// Opens what a path below a trusted folder leads to.
    ///
    /// - Parameters:
    ///   - path: From the folder on.
    ///   - root: Its path; links in that are followed.
    ///   - flags: As above.
    /// - Returns: As above.
    public static func open(_ path: String, below root: String, _ flags: Int32) -> Int32 {
        let folder = Foundation.open(root, placeOnly | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return -1 }
        let opened = open(path, beneath: folder, flags)
        let reason = errno
        close(folder)
        errno = reason
        return opened
    }

    /// Opens what an absolute path leads to, without following any link.
    public static func openWithoutLinks(_ path: String, _ flags: Int32) -> Int32 {
        open(Folder.names(of: path).joined(separator: "/"), below: "/", flags)
    }

    /// The same, name by name.
    static func walk(_ path: String, beneath root: Int32, _ flags: Int32) -> Int32 {
        let names = Folder.names(of: path)
        guard !path.utf8.starts(with: "/".utf8), !names.contains("..") else {
            errno = EXDEV
            return -1
        }
        var folder = openat(root, ".", placeOnly | O_DIRECTORY | O_CLOEXEC)
        for name in names.dropLast() where folder >= 0 {
            folder = step(from: folder, name, placeOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
        guard folder >= 0 else { return -1 }
        return step(from: folder, names.last ?? ".", flags)
    }

    /// Opens a name and closes its folder.
    private static func step(from folder: Int32, _ name: String, _ flags: Int32) -> Int32 {
        let opened = openat(folder, name, flags)
        var (reason, facts) = (errno, stat())
        // A link that is no folder either: what matters is that it is a link.
        if opened < 0, reason == ENOTDIR, fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0,
            facts.st_mode & S_IFMT == S_IFLNK
        {
            reason = ELOOP
        }
        close(folder)
        errno = reason
        return opened
    }
}
