/// What was put right between rows and files.
public struct Reconciliation: Sendable, Equatable, Codable {
    /// Rows looked at.
    public var entries = 0
    /// Rows dropped because their file was missing, of another size, or no file.
    public var droppedRows = 0
    /// Rows whose file had been set aside and was brought back.
    public var restored = 0
    /// Results moved to `orphans` that no row named and nobody held.
    public var orphans = 0
    /// Files that no row named and somebody held.
    public var heldFiles = 0
    /// Things moved to `quarantine` because they are none of the cache's, or cannot be opened.
    public var quarantined = 0
    /// Files and folders whose permissions were set right.
    public var fixedPermissions = 0
    /// Abandoned files removed from `staging`.
    public var removedStaged = 0
    /// Things removed from `quarantine` because there were too many.
    public var removedQuarantined = 0
    /// Results removed from `orphans` after thirty days, and their bytes.
    public var removedOrphans = 0
    public var removedOrphanBytes: Int64 = 0

    public init() {}

    /// Whether there was anything to put right.
    public var isRepair: Bool {
        droppedRows + restored + orphans + quarantined + fixedPermissions + removedStaged
            + removedQuarantined + removedOrphans > 0
    }
}

extension Reconciliation: CustomStringConvertible {
    public var description: String {
        let found = [
            (droppedRows, "entries without their file dropped"),
            (restored, "files of entries brought back"),
            (orphans, "files without an entry set aside in orphans, for 30 days"),
            (quarantined, "foreign or unreadable files set aside"),
            (fixedPermissions, "permissions set right"),
            (removedStaged, "abandoned files removed"),
            (removedQuarantined, "foreign files that were set aside long ago removed"),
            (
                removedOrphans,
                "results without an entry for 30 days removed (\(removedOrphanBytes) bytes)"
            ),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return found.isEmpty ? "nothing to put right" : found.joined(separator: ", ")
    }
}
