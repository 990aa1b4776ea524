/// How the sound of an audio track is stored.
public struct AudioTraits: Sendable, Equatable, Codable {
    /// Samples a second.
    public var sampleRate: Int
    public var channels: Int
    /// FFmpeg's layout name, such as `5.1(side)`; nil when only the count is known.
    public var channelLayout: String?
    public var sampleFormat: String

    package init(
        sampleRate: Int, channels: Int, channelLayout: String? = nil, sampleFormat: String
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.channelLayout = channelLayout
        self.sampleFormat = sampleFormat
    }
}
