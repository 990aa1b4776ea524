public import TakeupFiles

/// What an open source holds at one moment.
public struct SourceStatus: Equatable, Sendable {
    /// Rises with every change of version; reads name it, so that nobody gets bytes of two versions.
    public var generation: Int64
    /// nil before the first `bind`.
    public var version: SourceVersion?
    /// Bytes that can be read now.
    public var present: RangeSet
    public var isWriter: Bool
    /// Blocks whose bytes were not what had been written, since the opening.
    public var droppedBlocks: Int

    /// Bytes that were here and are not any more, for the disk did not take them.
    public var passedBytes: Int64 = 0
    /// Why the bytes are not kept; nil while they are.
    public var storageFailure: FetchError?

    /// All its bytes; nil while unknown.
    public var length: Int64? { version?.length }
    public var isComplete: Bool { length == present.byteCount }
}
