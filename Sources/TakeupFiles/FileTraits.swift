internal import Foundation

/// Permissions, owner and times of a file, to copy to another file.
public struct FileTraits: Sendable {
    /// All permissions except execution.
    public static let outputRights: UInt32 = 0o666

    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t
    private let accessed: timespec
    private let modified: timespec

    /// Fails if the file cannot be examined.
    ///
    /// - Parameter descriptor: An open file.
    public init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        (owner, group, mode) = (facts.st_uid, facts.st_gid, facts.st_mode)
        (accessed, modified) = (facts.st_atim, facts.st_mtim)
    }

    /// Copies the traits to another open file, as far as this user may.
    ///
    /// - Parameters:
    ///   - other: Descriptor of the other file.
    ///   - rights: The permission bits that may be copied.
    public func give(to other: Int32, rights: UInt32 = 0o7777) {
        fchown(other, owner, group)
        // Set the mode after the owner, because a change of owner clears some mode bits.
        fchmod(other, mode & mode_t(rights))
        var times = [accessed, modified]
        futimens(other, &times)
    }
}
