/// What the media libraries of this machine are and have.
public struct MediaInventory: Sendable, Equatable, Codable {
    /// FFmpeg's release, such as `5.1.6`.
    public var release: String
    /// Each library with its version, such as `libavcodec 59.37.100`.
    public var libraries: [String]
    /// The requested encoders that FFmpeg has.
    public var encoders: Set<String>
    /// The same for filters.
    public var filters: Set<String>

    public init(
        release: String, libraries: [String], encoders: Set<String>, filters: Set<String>
    ) {
        (self.release, self.libraries) = (release, libraries)
        (self.encoders, self.filters) = (encoders, filters)
    }
}
