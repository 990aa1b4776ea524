internal import Foundation

/// A file that nobody sees before it is complete.
///
/// Without a name where the file system can (`O_TMPFILE`), so that not even a kill leaves a trace;
/// else under a hidden name beside the destination, which `deinit` removes.
final class PartialFile {
    /// What the system and the file system are asked for; less only in tests of what lacks it.
    struct Means: OptionSet {
        let rawValue: Int
        /// A file without a name.
        static let nameless = Means(rawValue: 1)
        /// A rename that replaces nothing.
        static let exclusiveRename = Means(rawValue: 2)
        /// A second name for a file.
        static let link = Means(rawValue: 4)
        static let all: Means = [.nameless, .exclusiveRename, .link]
    }

    /// `O_TMPFILE`, a macro that Swift does not see.
    ///
    /// - Note: Source: `asm-generic/fcntl.h`.
    private static let unnamed = 0o20000000 | O_DIRECTORY

    let descriptor: Int32
    let destination: String
    let means: Means
    /// Its name until it is published; nil while it has none.
    var hiddenPath: String?

    /// Makes an empty file in the destination's folder.
    ///
    /// - Parameters:
    ///   - destination: The path that it shall have.
    ///   - means: What may be asked of the file system.
    /// - Throws: `ExportError` with `.outputNotCreated`, `.outputNotPermitted` or `.diskFull`.
    init(for destination: String, means: Means = .all) throws(ExportError) {
        self.means = means
        self.destination = destination
        let folder = Self.folder(of: destination)
        let unnamed =
            means.contains(.nameless) ? open(folder, O_RDWR | Self.unnamed | O_CLOEXEC, 0o644) : -1
        if unnamed >= 0, access("/proc/self/fd/\(unnamed)", F_OK) == 0 {
            (descriptor, hiddenPath) = (unnamed, nil)
            return
        }
        let reason = means.contains(.nameless) ? errno : EOPNOTSUPP
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
        if let hiddenPath { unlink(hiddenPath) }
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

    /// `clip-2.mp4` for `clip.mp4` and 2.
    static func numbered(_ path: String, _ number: Int) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            return "\(path)-\(number)"
        }
        let stem = path.dropLast(name.distance(from: dot, to: name.endIndex))
        return "\(stem)-\(number)\(name[dot...])"
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func hiddenName() -> String {
        ".takeup-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).partial"
    }

    static func error(creating path: String, _ reason: Int32) -> ExportError {
        switch reason {
        case EACCES, EPERM, EROFS: .outputNotPermitted(path)
        case ENOSPC, EDQUOT: .diskFull(path)
        default: .outputNotCreated(path, reason: String(cString: strerror(reason)))
        }
    }

    static func error(writing path: String, _ reason: Int32) -> ExportError {
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
