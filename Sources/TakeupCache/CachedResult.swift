/// A result that was found, and its file.
public struct CachedResult: Sendable {
    public let entry: ManifestEntry
    /// Held: it stays until the last copy of this value is gone.
    public let file: ObjectFile

    public init(entry: ManifestEntry, file: ObjectFile) {
        (self.entry, self.file) = (entry, file)
    }
}
