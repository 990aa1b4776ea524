internal import Foundation

/// A file that nobody sees before it is complete.
///
/// Without a name where the file system can (`O_TMPFILE`), so that not even a kill leaves a trace;
/// else under a hidden name beside the destination, which `deinit` removes. Confined to one lane at a time.
public final class PartialFile {
    /// What to do when a name is taken.
    public enum Overwrite: Sendable {
        case fail, replace
        /// Picks the next free name: `clip-1.mp4`, `clip-2.mp4`, …
        case unique
    }

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

    /// Open for reading and writing; closed with this object.
    public let descriptor: Int32
    public let destination: String
    let mode: mode_t
    let means: Means
    /// What it has from another file.
    private(set) var traits: (of: FileTraits, rights: UInt32)?
    /// Its name until it is published; nil while it has none.
    var hiddenPath: String?

    /// Makes an empty file in the destination's folder.
    ///
    /// - Parameters:
    ///   - destination: The path that it shall have.
    ///   - mode: Permissions, from which the process's mask is taken.
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
        // Where only that is not known, the folder may still take a file with a name, or say why it does not.
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

    /// Where this process can open the file again before it has its name.
    public var path: String { hiddenPath ?? "/proc/self/fd/\(descriptor)" }

    /// The file as one that others may fill.
    public var opened: OpenFile { OpenFile(descriptor, name: destination) }

    public var byteCount: Int64 { opened.byteCount }

    /// Empties it for another try.
    ///
    /// - Throws: `FileError.failed`.
    public func truncate() throws(FileError) { try opened.truncate() }

    /// Writes what the system still holds in memory to the disk.
    ///
    /// - Throws: `FileError` with `.failed` or `.diskFull`.
    public func synchronize() throws(FileError) { try opened.synchronize() }

    /// Gives it another file's rights, owner and times, so that it has them when its name appears.
    ///
    /// Call it once everything is written, and before `synchronize`.
    public func take(_ traits: FileTraits, rights: UInt32 = FileTraits.outputRights) {
        self.traits = (traits, rights)
        traits.give(to: descriptor, rights: rights)
    }

    /// Writes bytes at the start.
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

    /// `clip-2.mp4` for `clip.mp4` and 2.
    public static func numbered(_ path: String, _ number: Int) -> String {
        // By bytes: for Swift, a slash and a combining mark behind it are one character.
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
