public import TakeupFiles

/// A snapshot of an open source.
public struct SourceStatus: Equatable, Sendable {
    /// Number of the version, which rises with every change.
    ///
    /// Reads state it, so that they never mix two versions.
    public var generation: Int64
    /// The version; nil before the first `bind`.
    public var version: SourceVersion?
    /// Bytes that can be read now.
    public var present: RangeSet
    public var isWriter: Bool
    /// Number of blocks since the opening whose bytes failed their check.
    public var droppedBlocks: Int

    /// Number of bytes that passed through memory and are gone, because the disk did not take them.
    public var passedBytes: Int64 = 0
    /// The reason why bytes are not stored; nil while they are.
    public var storageFailure: FetchError?

    /// Length in bytes; nil while unknown.
    public var length: Int64? { version?.length }
    public var isComplete: Bool { length == present.byteCount }
}
