internal import Foundation

/// A file that nobody sees before it is complete.
///
/// Without a name where the file system can (`O_TMPFILE`), so that not even a kill leaves a trace;
/// else under a hidden name beside the destination, which `deinit` removes.
final class PartialFile {
    /// `O_TMPFILE`, a macro that Swift does not see.
    ///
    /// - Note: Source: `asm-generic/fcntl.h`.
    private static let unnamed = 0o20000000 | O_DIRECTORY

    let descriptor: Int32
    let destination: String
    private let hiddenPath: String?
    private var isPublished = false

    /// Makes an empty file in the destination's folder.
    ///
    /// - Parameters:
    ///   - destination: The path that it shall have.
    ///   - allowsNameless: Whether the file may be without a name until then.
    /// - Throws: `ExportError` with `.outputNotCreated`, `.outputNotPermitted` or `.diskFull`.
    init(for destination: String, allowsNameless: Bool = true) throws(ExportError) {
        self.destination = destination
        let folder = Self.folder(of: destination)
        let unnamed =
            allowsNameless ? open(folder, O_RDWR | Self.unnamed | O_CLOEXEC, 0o644) : -1
        if unnamed >= 0, access("/proc/self/fd/\(unnamed)", F_OK) == 0 {
            (descriptor, hiddenPath) = (unnamed, nil)
            return
        }
        let reason = allowsNameless ? errno : EOPNOTSUPP
        if unnamed >= 0 { close(unnamed) }
        let path = "\(folder)/\(Self.hiddenName())"
        let named =
            [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(reason) || unnamed >= 0
            ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) : -1
        guard named >= 0 else {
            throw Self.error(creating: destination, named == -1 && unnamed < 0 ? reason : errno)
        }
        (descriptor, hiddenPath) = (named, path)
    }

    deinit {
        close(descriptor)
        if let hiddenPath, !isPublished { unlink(hiddenPath) }
    }

    /// Where the file can be opened again before it has its name.
    var path: String { hiddenPath ?? "/proc/self/fd/\(descriptor)" }

    var byteCount: Int64 {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// Empties it for another try.
    func truncate() throws(ExportError) {
        guard ftruncate(descriptor, 0) == 0 else {
            throw .outputFailed(destination, reason: String(cString: strerror(errno)))
        }
    }

    /// Writes what the system still holds in memory to the disk.
    func synchronize() throws(ExportError) {
        guard fsync(descriptor) == 0 else { throw Self.error(writing: destination, errno) }
    }

    /// Gives the complete file its name, in one step.
    ///
    /// - Returns: The path that it now has; another than `destination` with `.unique` only.
    /// - Throws: `ExportError` with `.outputExists`, `.outputNotPermitted` or `.outputFailed`.
    func publish(_ overwrite: ExportSettings.Overwrite) throws(ExportError) -> String {
        let path: String
        switch overwrite {
        case .fail:
            guard try link(to: destination) else { throw .outputExists(destination) }
            path = destination
        case .unique: path = try linkUnique()
        case .replace:
            try replace()
            path = destination
        }
        isPublished = true
        if let hiddenPath { unlink(hiddenPath) }
        try Self.synchronizeFolder(of: path)
        return path
    }

    /// - Returns: `false` when the name is taken.
    private func link(to path: String) throws(ExportError) -> Bool {
        let source = hiddenPath ?? "/proc/self/fd/\(descriptor)"
        let flags = hiddenPath == nil ? AT_SYMLINK_FOLLOW : 0
        if linkat(AT_FDCWD, source, AT_FDCWD, path, Int32(flags)) == 0 { return true }
        if errno == EEXIST { return false }
        throw Self.error(creating: path, errno)
    }

    private func linkUnique() throws(ExportError) -> String {
        if try link(to: destination) { return destination }
        for number in 1...9999 {
            let path = Self.numbered(destination, number)
            if try link(to: path) { return path }
        }
        throw .outputExists(destination)
    }

    private func replace() throws(ExportError) {
        let hidden = "\(Self.folder(of: destination))/\(Self.hiddenName())"
        guard try link(to: hidden) else { throw .outputExists(hidden) }
        guard rename(hidden, destination) == 0 else {
            let reason = errno
            unlink(hidden)
            throw Self.error(creating: destination, reason)
        }
    }

    /// `clip-2.mp4` for `clip.mp4` and 2.
    static func numbered(_ path: String, _ number: Int) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            return "\(path)-\(number)"
        }
        let stem = path.dropLast(name.distance(from: dot, to: name.endIndex))
        return "\(stem)-\(number)\(name[dot...])"
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func hiddenName() -> String {
        ".takeup-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).partial"
    }

    private static func synchronizeFolder(of path: String) throws(ExportError) {
        let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw error(writing: path, errno) }
        defer { close(folder) }
        // Some file systems cannot sync a folder, and say so; the name is then as durable as they make it.
        guard fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw error(writing: path, errno)
        }
    }

    private static func error(creating path: String, _ reason: Int32) -> ExportError {
        switch reason {
        case EACCES, EPERM, EROFS: .outputNotPermitted(path)
        case ENOSPC, EDQUOT: .diskFull(path)
        default: .outputNotCreated(path, reason: String(cString: strerror(reason)))
        }
    }

    fileprivate static func error(writing path: String, _ reason: Int32) -> ExportError {
        reason == ENOSPC || reason == EDQUOT
            ? .diskFull(path) : .outputFailed(path, reason: String(cString: strerror(reason)))
    }
}

extension PartialFile {
    /// Writes bytes at the start.
    func write(_ bytes: [UInt8]) throws(ExportError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(done))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.error(writing: destination, errno)
            }
            done += count
        }
    }
}
