public import TakeupTimeline

/// How a stream is to stand in an output container, besides its codec parameters.
public struct OutputStream: Sendable, Equatable {
    public var timeBase: TimeBase
    public var language: String?
    public var title: String?
    public var isDefault = false
    public var isForced = false
    public var isAttachedPicture = false
    /// Four characters, such as `hvc1`; nil leaves it to the muxer.
    public var codecTag: String?
    /// Nine numbers; nil writes none.
    public var displayMatrix: [Int32]?
    public var masteringDisplay: MasteringDisplay?
    public var contentLight: ContentLight?
    /// Frames a second, which a timecode is counted in; nil when unknown.
    public var frameRate: Ratio?

    public init(timeBase: TimeBase) {
        self.timeBase = timeBase
    }
}
