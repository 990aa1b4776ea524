/// What a worker is about to make visible, noted before it does, so that a crash in between is repaired.
public struct Publication: Sendable, Hashable, Codable {
    /// What the manifest is going to say of it besides.
    public struct Facts: Sendable, Hashable, Codable {
        /// Media seconds.
        public var duration: Double
        public var frames: Int64
        public var warnings: [JobResult.Warning]

        public init(duration: Double, frames: Int64, warnings: [JobResult.Warning]) {
            (self.duration, self.frames, self.warnings) = (duration, frames, warnings)
        }
    }

    public var key: String
    public var sha256: String
    public var bytes: Int64
    /// The named output; nil for the cache alone.
    public var output: String?
    /// nil once the manifest has it, and in what older versions noted.
    public var facts: Facts?

    public init(
        key: String, sha256: String, bytes: Int64, output: String? = nil, facts: Facts? = nil
    ) {
        (self.key, self.sha256, self.bytes) = (key, sha256, bytes)
        (self.output, self.facts) = (output, facts)
    }
}
