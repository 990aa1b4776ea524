/// What a scan has counted.
public struct ScanResult: Sendable, Equatable {
    public internal(set) var files = 0
    /// Folders that were read, the first one included.
    public internal(set) var folders = 0
    /// Names that the caller did not admit.
    public internal(set) var ignored = 0
    public internal(set) var passedOver = 0
    public internal(set) var unreadable = 0
    public internal(set) var isStopped = false

    public init() {}

    /// Whether everything was read to its end: only then has a file gone that was not found.
    public var isWhole: Bool { unreadable == 0 && !isStopped }
}
