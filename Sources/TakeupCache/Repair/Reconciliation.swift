/// What was put right between rows and files.
public struct Reconciliation: Sendable, Equatable, Codable {
    /// Rows looked at.
    public var entries = 0
    /// Rows dropped because their file was missing, of another size, or no file.
    public var droppedRows = 0
    /// Files removed that no row named and nobody held.
    public var removedFiles = 0
    /// Files that no row named and somebody held.
    public var heldFiles = 0
    /// Things moved to `quarantine` because they are none of the cache's.
    public var quarantined = 0
    /// Files and folders whose permissions were set right.
    public var fixedPermissions = 0
    /// Abandoned files removed from `staging`.
    public var removedStaged = 0

    public init() {}
}
