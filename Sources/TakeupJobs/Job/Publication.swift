/// What a worker is about to make visible, noted before it does, so that a crash in between is repaired.
public struct Publication: Sendable, Hashable, Codable {
    public var key: String
    public var sha256: String
    public var bytes: Int64
    /// The named output; nil for the cache alone.
    public var output: String?

    public init(key: String, sha256: String, bytes: Int64, output: String? = nil) {
        (self.key, self.sha256, self.bytes, self.output) = (key, sha256, bytes, output)
    }
}
