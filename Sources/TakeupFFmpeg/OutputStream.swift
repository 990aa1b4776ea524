public import TakeupTimeline

/// Properties of an output stream besides its codec parameters.
public struct OutputStream: Sendable, Equatable {
    public var timeBase: TimeBase
    public var language: String?
    public var title: String?
    public var isDefault = false
    public var isForced = false
    public var isAttachedPicture = false
    /// Four characters, for example `hvc1`; nil lets the muxer choose.
    public var codecTag: String?
    /// The display matrix as nine numbers; nil writes none.
    public var displayMatrix: [Int32]?
    public var masteringDisplay: MasteringDisplay?
    public var contentLight: ContentLight?
    /// Frames per second, needed for a timecode; nil if unknown.
    public var frameRate: Ratio?

    public init(timeBase: TimeBase) {
        self.timeBase = timeBase
    }
}
