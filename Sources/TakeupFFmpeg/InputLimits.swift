/// Limits for inspecting a possibly hostile source.
public struct InputLimits: Sendable, Equatable {
    /// Number of streams in one container.
    public var streams = 64
    /// Pixels of one picture: 8192 × 8192.
    public var pixels: Int64 = 8192 * 8192
    /// Bytes read to recognise a container and its streams.
    public var probeBytes: Int64 = 10_000_000
    /// Seconds of media read to recognise streams.
    public var analyzeSeconds = 10
    /// Bytes that a container's sample index may need.
    public var indexBytes = 256 * 1024 * 1024

    public init() {}

    public static let standard = InputLimits()
}
