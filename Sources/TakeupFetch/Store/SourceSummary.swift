/// A source on disk, as lists show it.
public struct SourceSummary: Equatable, Sendable {
    public var key: SourceKey
    public var entry: SourceEntry
    public var version: SourceVersion?
    /// Committed bytes.
    public var presentBytes: Int64
    /// What it takes up on the disk.
    public var diskBytes: Int64
    /// Somebody has it open.
    public var isInUse: Bool

    public var isComplete: Bool { version?.length == presentBytes }
}
