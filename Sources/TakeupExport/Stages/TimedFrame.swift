internal import TakeupFFmpeg

/// A picture with its time on the output's track, on its way between lanes.
struct TimedFrame: ~Copyable, Sendable {
    var frame: Frame
    /// Which of the track's segments it comes from.
    let segment: Int
}
