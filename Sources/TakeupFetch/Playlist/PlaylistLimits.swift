/// Size limits of a playlist.
public struct PlaylistLimits: Equatable, Sendable {
    public var bytes: Int
    public var lines: Int
    public var lineBytes: Int
    /// Number of segments of a media playlist.
    public var segments: Int
    /// Number of variants and renditions of a master playlist, together.
    public var variants: Int

    public init(
        bytes: Int = 8 << 20, lines: Int = 200_000, lineBytes: Int = 8192,
        segments: Int = 50_000, variants: Int = 500
    ) {
        self.bytes = bytes
        self.lines = lines
        self.lineBytes = lineBytes
        self.segments = segments
        self.variants = variants
    }
}
