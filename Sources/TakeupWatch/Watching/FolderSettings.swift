/// How one folder is watched.
public struct FolderSettings: Sendable {
    public var mode = WatchMode.Setting.automatic
    public var intervals = ScanIntervals()
    /// How long a file has to stand still, in seconds; nil for what suits the file system.
    public var stableSeconds: Double?
    public var marker = ReadyMarker.none
    public var onWorkChange = Recognition.WorkChange.export
    /// A name without which the folder does not count as there; nil for none.
    public var anchor: String?

    public init() {}
}
