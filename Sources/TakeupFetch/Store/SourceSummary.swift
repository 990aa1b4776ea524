/// A summary of a source on disk, for lists.
public struct SourceSummary: Equatable, Sendable {
    public var key: SourceKey
    public var entry: SourceEntry
    public var version: SourceVersion?
    /// Number of committed bytes.
    public var presentBytes: Int64
    /// Disk space that the source uses, in bytes.
    public var diskBytes: Int64
    /// Somebody has the source open.
    public var isInUse: Bool

    public var isComplete: Bool { version?.length == presentBytes }
}
