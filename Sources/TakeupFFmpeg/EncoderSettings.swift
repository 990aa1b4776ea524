public import TakeupTimeline

/// All settings of an encoder, as a value.
public struct EncoderSettings: Sendable, Equatable {
    /// The format of the pictures for an encoder.
    public struct Picture: Sendable, Equatable {
        public var width: Int
        public var height: Int
        public var pixelFormat: PixelFormat
        /// Nominal frame rate, for rate control and levels; nil if unknown.
        public var frameRate: Ratio?
        public var color: ColorDescription
        /// Whether the stream says that its pixels are square.
        public var statesAspect = true

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

    /// The number of this pass in a multi-pass encode.
    public enum Pass: Sendable, Equatable {
        case only, first, second
    }

    /// FFmpeg's name of the encoder, for example `libx264`.
    public var encoder: String
    public var timeBase: TimeBase
    public var picture: Picture?
    public var audio: AudioFormat?
    /// Bits per second; nil leaves the bit rate to the other options.
    public var bitRate: Int?
    /// Peak bits per second over the span of the buffer, and the buffer size in bits; nil sets no
    /// limit.
    public var maxBitRate: Int?
    public var bufferBits: Int?
    /// Highest number of frames between keyframes; nil lets the encoder choose.
    public var keyFrameInterval: Int?
    /// The encoder's own options by name.
    public var options: [String: String] = [:]
    public var pass = Pass.only
    /// Number of threads; 0 lets the encoder choose.
    public var threads = 0

    public init(encoder: String, timeBase: TimeBase) {
        self.encoder = encoder
        self.timeBase = timeBase
    }
}
