/// How the sound of an audio track is stored.
public struct AudioTraits: Sendable, Equatable {
    /// Samples a second.
    public var sampleRate: Int
    public var channels: Int
    /// FFmpeg's layout name, such as `5.1(side)`; nil when only the count is known.
    public var channelLayout: String?
    public var sampleFormat: String
}
