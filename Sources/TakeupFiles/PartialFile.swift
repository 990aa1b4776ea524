internal import Foundation

/// A file that nobody sees before it is complete.
///
/// If the file system supports `O_TMPFILE`, the file has no name, so that even a kill leaves no
/// trace. Otherwise it has a hidden name beside the destination, which `deinit` removes. Confined
/// to one lane at a time.
public final class PartialFile {
    /// What to do if a name is taken.
    public enum Overwrite: Sendable {
        case fail, replace
        /// Picks the next free name: `clip-1.mp4`, `clip-2.mp4`, …
        case unique
    }

    /// The system features in use; tests remove some to imitate a file system without them.
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

    /// Open for reading and writing; closed when the object is deallocated.
    public let descriptor: Int32
    public let destination: String
    let mode: mode_t
    let means: Means
    /// The traits copied from another file.
    private(set) var traits: (of: FileTraits, rights: UInt32)?
    /// The hidden name until the file is published; nil if it has none.
    var hiddenPath: String?

    /// Creates an empty file in the destination's folder.
    ///
    /// - Parameters:
    ///   - destination: The later path of the file.
    ///   - mode: Permissions, before the process's umask is applied.
    /// - Throws: `FileError` with `.notCreated`, `.notPermitted` or `.diskFull`.
    public convenience init(for destination: String, mode: UInt32 = 0o644) throws(FileError) {
        try self.init(for: destination, mode: mode, means: .all)
    }

    init(for destination: String, mode: UInt32 = 0o644, means: Means) throws(FileError) {
        self.means = means
        self.mode = mode
        self.destination = destination
        let folder = Folder.containing(destination)
        let unnamed =
            means.contains(.nameless) ? open(folder, O_RDWR | Self.unnamed | O_CLOEXEC, mode) : -1
        if unnamed >= 0, access("/proc/self/fd/\(unnamed)", F_OK) == 0 {
            (descriptor, hiddenPath) = (unnamed, nil)
            return
        }
        let reason = means.contains(.nameless) ? errno : EOPNOTSUPP
        if unnamed >= 0 { close(unnamed) }
        let path = "\(folder)/\(Self.hiddenName())"
        // If only nameless files are unsupported, try a named file; its error tells the real
        // reason.
        guard unnamed >= 0 || [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(reason) else {
            throw .creating(destination, reason)
        }
        let named = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard named >= 0 else { throw .creating(destination, errno) }
        (descriptor, hiddenPath) = (named, path)
    }

    deinit {
        close(descriptor)
        if let hiddenPath { unlink(hiddenPath) }
    }

    /// A path by which this process can open the file before it is published.
    public var path: String { hiddenPath ?? "/proc/self/fd/\(descriptor)" }

    /// The file as an `OpenFile`, for others to fill.
    public var opened: OpenFile { OpenFile(descriptor, name: destination) }

    public var byteCount: Int64 { opened.byteCount }

    /// Empties the file for another try.
    ///
    /// - Throws: `FileError.failed`.
    public func truncate() throws(FileError) { try opened.truncate() }

    /// Syncs the file to disk.
    ///
    /// - Throws: `FileError` with `.failed` or `.diskFull`.
    public func synchronize() throws(FileError) { try opened.synchronize() }

    /// Applies another file's permissions, owner and times, so that the file has them when its name
    /// appears.
    ///
    /// Call this after the last write and before `synchronize`.
    public func take(_ traits: FileTraits, rights: UInt32 = FileTraits.outputRights) {
        self.traits = (traits, rights)
        traits.give(to: descriptor, rights: rights)
    }

    /// Writes bytes at the start of the file.
    ///
    /// - Throws: `FileError` with `.failed` or `.diskFull`.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(done))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .writing(destination, errno)
            }
            done += count
        }
    }

    /// Inserts a number into a file name: `clip-2.mp4` for `clip.mp4` and 2.
    public static func numbered(_ path: String, _ number: Int) -> String {
        // Work on bytes: in Swift, a slash and a following combining mark are one character.
        let name = Folder.lastName(of: path)
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return "\(path)-\(number)"
        }
        let stem = Substring(path.utf8.dropLast(name.utf8[dot...].count))
        return "\(stem)-\(number)\(name[dot...])"
    }

    static func hiddenName() -> String {
        ".takeup-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).partial"
    }
}
