/// How sound is made anew.
public struct AudioEncoding: Sendable, Equatable {
    /// FFmpeg's encoder, such as `aac`.
    public var encoder: String
    /// Samples a second.
    public var sampleRate: Int
    /// FFmpeg's layout name: `mono`, `stereo` or `5.1`.
    public var channelLayout: String
    public var channels: Int
    /// Bits a second.
    public var bitRate: Int
}
