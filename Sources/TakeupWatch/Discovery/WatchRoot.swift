internal import Foundation
internal import TakeupFiles

/// A folder that is watched, and what it was when it was last seen.
///
/// A folder whose disk is missing looks like an empty one. What was seen before tells them apart, unless a bind mount
/// of the same file system is missing, or the disk was missing when the folder was seen first: then the anchor does.
/// Calls may block for as long as a network file system does.
public struct WatchRoot: Sendable {
    /// Absolute, without a slash at the end.
    public let path: String
    /// A name in the folder, or a path from it on, without which the folder does not count as there; nil for none.
    public let anchor: String?
    /// What was seen last; to be stored, so that a restart knows it.
    public private(set) var memory: RootMemory?

    /// - Parameters:
    ///   - path: Absolute; a symbolic link is followed.
    ///   - anchor: Relative, without `..`.
    ///   - memory: What was stored; nil takes the folder as it is.
    /// - Throws: `WatchError.unreadable` for a path or an anchor that is none.
    public init(
        _ path: String, anchor: String? = nil, memory: RootMemory? = nil
    ) throws(WatchError) {
        guard Folder.isAbsolute(path), !path.utf8.contains(0) else {
            throw .unreadable(setting: "folder", reason: "it is no absolute path")
        }
        if let anchor {
            let names = anchor.unicodeScalars.split(
                separator: "/", omittingEmptySubsequences: false
            ).map { String($0) }
            guard !anchor.utf8.contains(0), !names.contains(where: { $0.isEmpty || $0 == ".." })
            else { throw .unreadable(setting: "anchor", reason: "it is no name in the folder") }
        }
        var path = path
        while path.utf8.count > 1, Folder.endsInSlash(path) {
            path.unicodeScalars.removeLast()
        }
        (self.path, self.anchor, self.memory) = (path, anchor, memory)
    }

    /// Looks whether the folder is there, opens it and remembers it.
    ///
    /// - Returns: The folder, closed when the value goes out of scope.
    /// - Throws: `WatchError.unavailable` when it is not there now, `failed` when it is and cannot be read. Nothing follows
    ///   from either for the files in it.
    public mutating func open() throws(WatchError) -> OpenRoot {
        let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.error(path, errno) }
        guard let now = RootMemory(descriptor: descriptor) else {
            let reason = errno
            close(descriptor)
            throw Self.error(path, reason)
        }
        let verdict = memory?.verdict(on: now) ?? .same
        let root = OpenRoot(descriptor: descriptor, isAnother: verdict == .another)
        if verdict == .notMounted {
            throw .unavailable(
                path: path, reason: "the disk that was mounted there, or above it, is not mounted")
        }
        if let anchor { try look(for: anchor, in: root.descriptor) }
        memory = now
        return root
    }

    private func look(for anchor: String, in folder: Int32) throws(WatchError) {
        var facts = stat()
        guard fstatat(folder, anchor, &facts, 0) != 0 else { return }
        let reason = errno
        guard reason == ENOENT || reason == ENOTDIR else { throw Self.error(path, reason) }
        throw .unavailable(path: path, reason: "its anchor \(anchor) is not there")
    }

    /// What an errno of opening the folder means.
    static func error(_ path: String, _ reason: Int32) -> WatchError {
        isAbsence(reason)
            ? .unavailable(path: path, reason: String(cString: strerror(reason)))
            : .failed(path: path, errno: reason)
    }

    /// Whether an errno says that the disk, the server or the folder is away.
    private static func isAbsence(_ reason: Int32) -> Bool {
        switch reason {
        case ENOENT, ENOTDIR, EIO, ESTALE, ENOTCONN, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH,
            ENETUNREACH, ENODEV, ENXIO:
            true
        default: false
        }
    }
}
