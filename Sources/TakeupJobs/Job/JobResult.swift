/// What a job that succeeded has to show.
public struct JobResult: Sendable, Hashable, Codable {
    /// Something that a user should know though the job succeeded.
    public struct Warning: Sendable, Hashable, Codable {
        public var code: String
        public var message: String

        public init(code: String, message: String) {
            (self.code, self.message) = (code, message)
        }
    }

    /// The file to use: the named output, or the file in the cache.
    public var output: String
    /// The entry of the manifest.
    public var key: String
    public var bytes: Int64
    /// In lower-case hexadecimal.
    public var sha256: String
    /// Media seconds.
    public var duration: Double
    public var frames: Int
    /// Wall time that the work took, in seconds.
    public var seconds: Double
    public var warnings: [Warning]

    public init(
        output: String, key: String, bytes: Int64, sha256: String, duration: Double = 0,
        frames: Int = 0, seconds: Double = 0, warnings: [Warning] = []
    ) {
        (self.output, self.key, self.bytes, self.sha256) = (output, key, bytes, sha256)
        (self.duration, self.frames, self.seconds) = (duration, frames, seconds)
        self.warnings = warnings
    }
}
