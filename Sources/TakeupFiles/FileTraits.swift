internal import Foundation

/// Rights, owner and times of a file, which another one may get.
public struct FileTraits: Sendable {
    /// All rights but those that make a file a program.
    public static let outputRights: UInt32 = 0o666

    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t
    private let accessed: timespec
    private let modified: timespec

    /// Is nil when the file cannot be looked at.
    ///
    /// - Parameter descriptor: Of an open file.
    public init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        (owner, group, mode) = (facts.st_uid, facts.st_gid, facts.st_mode)
        (accessed, modified) = (facts.st_atim, facts.st_mtim)
    }

    /// Gives them to another open file, as far as this user may.
    ///
    /// - Parameters:
    ///   - other: Its descriptor.
    ///   - rights: Those that it may get.
    public func give(to other: Int32, rights: UInt32 = 0o7777) {
        fchown(other, owner, group)
        // After the owner, which takes away what only that one may set.
        fchmod(other, mode & mode_t(rights))
        var times = [accessed, modified]
        futimens(other, &times)
    }
}
