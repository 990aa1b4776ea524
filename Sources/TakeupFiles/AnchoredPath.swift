internal import CTakeupLinux
internal import Foundation

/// Opens files that must stay below a folder.
///
/// Anyone who may write in the folder can replace a name on the path by a symbolic link; these
/// functions refuse links.
public enum AnchoredPath {
    /// `O_PATH`, a macro that Swift does not see: opens a location, neither for reading nor for
    /// writing.
    ///
    /// - Note: Source: `asm-generic/fcntl.h`.
    public static let placeOnly: Int32 = 0o10000000

    /// Opens a path without following any link and without leaving the folder.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the folder.
    ///   - root: An open folder.
    ///   - flags: Flags of `open` that create nothing; `O_NOFOLLOW` and `O_CLOEXEC` are added.
    /// - Returns: A descriptor; -1 and `errno`, which is `ELOOP` for a link on the path. If the
    ///   last name is a link and the flags have `placeOnly`, the link itself is opened.
    public static func open(_ path: String, beneath root: Int32, _ flags: Int32) -> Int32 {
        let all = flags | O_NOFOLLOW | O_CLOEXEC
        // For a folder the call itself refuses links; `O_NOFOLLOW` would change the error to
        // ENOTDIR.
        let asked = flags & O_DIRECTORY == 0 ? all : flags | O_CLOEXEC
        let opened = takeup_open_beneath(root, path, asked)
        if opened >= 0 { return opened }
        // The kernel is too old, or a container's seccomp filter does not know the call.
        if opened == -ENOSYS || opened == -EPERM { return walk(path, beneath: root, all) }
        errno = -opened
        return -1
    }

    /// Opens a path below a trusted folder.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the folder.
    ///   - root: The folder's path; links in this path are followed.
    ///   - flags: Flags as for `open(_:beneath:_:)`.
    /// - Returns: The same result as `open(_:beneath:_:)`.
    public static func open(_ path: String, below root: String, _ flags: Int32) -> Int32 {
        let folder = Foundation.open(root, placeOnly | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return -1 }
        let opened = open(path, beneath: folder, flags)
        let reason = errno
        close(folder)
        errno = reason
        return opened
    }

    /// Opens an absolute path without following any link.
    public static func openWithoutLinks(_ path: String, _ flags: Int32) -> Int32 {
        open(Folder.names(of: path).joined(separator: "/"), below: "/", flags)
    }

    /// Opens a path name by name, for systems without `openat2`.
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
        // Report a link as a link, even if the error says that it is not a folder.
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
