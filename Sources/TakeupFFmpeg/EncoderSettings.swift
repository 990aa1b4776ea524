public import TakeupTimeline

/// Everything that an encoder is told, as a value.
public struct EncoderSettings: Sendable, Equatable {
    /// The pictures that an encoder is given.
    public struct Picture: Sendable, Equatable {
        public var width: Int
        public var height: Int
        public var pixelFormat: PixelFormat
        /// Nominal, for rate control and levels; nil when unknown.
        public var frameRate: Ratio?
        public var color: ColorDescription

        public init(
            width: Int, height: Int, pixelFormat: PixelFormat, frameRate: Ratio?,
            color: ColorDescription
        ) {
            self.width = width
            self.height = height
            self.pixelFormat = pixelFormat
            self.frameRate = frameRate
            self.color = color
        }
    }

    /// Which pass of several this is.
    public enum Pass: Sendable, Equatable {
        case only, first, second
    }

    /// FFmpeg's name of the encoder, such as `libx264`.
    public var encoder: String
    public var timeBase: TimeBase
    public var picture: Picture?
    public var audio: AudioFormat?
    /// Bits a second; nil leaves it to the other options.
    public var bitRate: Int?
    /// Bits a second that no buffer's span may exceed, and the buffer in bits; nil sets no cap.
    public var maxBitRate: Int?
    public var bufferBits: Int?
    /// Frames between keyframes at the most; nil leaves it to the encoder.
    public var keyFrameInterval: Int?
    /// The encoder's own options by name.
    public var options: [String: String] = [:]
    public var pass = Pass.only
    /// 0 leaves it to the encoder.
    public var threads = 0

    public init(encoder: String, timeBase: TimeBase) {
        self.encoder = encoder
        self.timeBase = timeBase
    }
}
