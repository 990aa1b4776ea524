/// How sound is encoded.
public struct AudioEncoding: Sendable, Equatable, Codable {
    /// FFmpeg's encoder, such as `aac`.
    public var encoder: String
    /// Samples a second.
    public var sampleRate: Int
    /// FFmpeg's layout name: `mono`, `stereo` or `5.1`.
    public var channelLayout: String
    public var channels: Int
    /// Bits a second.
    public var bitRate: Int

    package init(
        encoder: String, sampleRate: Int, channelLayout: String, channels: Int, bitRate: Int
    ) {
        self.encoder = encoder
        self.sampleRate = sampleRate
        self.channelLayout = channelLayout
        self.channels = channels
        self.bitRate = bitRate
    }
}
