/// What is known of a file when rules are asked; nil is not known, or not yet.
public struct FileFacts: Codable, Sendable, Equatable {
    /// From the watched folder on, with `/` between names.
    public var path: String
    public var bytes: Int64?
    public var seconds: Double?
    public var width: Int?
    public var height: Int?
    /// FFmpeg's names, as `h264` and `aac`.
    public var videoCodec: String?
    public var audioCodec: String?
    /// Languages of the sound tracks, as the file states them: `eng`, `de`.
    public var languages: [String]?
    public var hasVideo: Bool?

    public init(path: String) {
        self.path = path
    }
}
