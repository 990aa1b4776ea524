internal import Foundation
public import TakeupFiles

/// What a file was when a job was accepted, so that another one in its place is noticed.
///
/// Its content is not read for this; another file with the same size and time passes for the same.
public struct SourceMark: Sendable, Hashable, Codable {
    public let bytes: Int64
    public let modifiedNanoseconds: Int64
    /// The number of its file system then, which another start of the machine may change; nil in older records.
    private let device: Int64?
    /// Where that number means something; nil in older records.
    private let origin: String?

    public init(_ identity: FileIdentity) {
        (bytes, modifiedNanoseconds) = (identity.bytes, identity.modifiedNanoseconds)
        (device, origin) = (identity.device, Self.here)
    }

    /// This start of this machine, and what this process has mounted there; nil where the system does not say.
    private static let here: String? = {
        let boot = try? String(
            contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let mounts = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/ns/mnt")
        guard let boot, let mounts else { return nil }
        return "\(boot.prefix { $0 != "\n" }) \(mounts)"
    }()

    public static func == (one: SourceMark, other: SourceMark) -> Bool {
        one.bytes == other.bytes && one.modifiedNanoseconds == other.modifiedNanoseconds
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(modifiedNanoseconds)
    }

    /// - Returns: nil for an address, and for what is no file now.
    public static func of(_ source: String) -> SourceMark? {
        guard !SourceText.isAddress(source) else { return nil }
        return FileIdentity(path: source).map(SourceMark.init)
    }

    /// Tells a folder that is away from a file that is gone, for a file that nobody finds now.
    ///
    /// A folder is away if it is not there, or is on another file system than the file was: that one is not mounted.
    ///
    /// - Parameters:
    ///   - path: Where the file was.
    ///   - isShared: Whether another machine may have made the mark, whose file systems have other numbers.
    /// - Returns: The folder that is to be waited for; nil where the file itself is gone.
    package func absentFolder(of path: String, isShared: Bool = false) -> String? {
        let folder = Folder.containing(path)
        guard Folder.isAbsent(path) else { return nil }
        var facts = stat()
        guard stat(folder, &facts) == 0 else { return Folder.isAbsence(errno) ? folder : nil }
        guard !isShared || origin != nil && origin == Self.here else { return nil }
        let now = Int64(bitPattern: UInt64(facts.st_dev))
        return device.map { $0 != now } == true ? folder : nil
    }
}
