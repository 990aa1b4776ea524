/// How much of a possibly hostile source is looked at before it is refused.
public struct InputLimits: Sendable, Equatable {
    /// Streams of one container.
    public var streams = 64
    /// Pixels of one picture: 8192 × 8192.
    public var pixels: Int64 = 8192 * 8192
    /// Bytes read to recognise a container and its streams.
    public var probeBytes: Int64 = 10_000_000
    /// Seconds of media read to recognise streams.
    public var analyzeSeconds = 10
    /// Bytes of the samples' index that a container may ask for.
    public var indexBytes = 256 * 1024 * 1024

    public init() {}

    public static let standard = InputLimits()
}
