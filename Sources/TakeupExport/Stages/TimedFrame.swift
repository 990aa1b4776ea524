internal import TakeupFFmpeg

/// A picture with its time on the output's track, for the queues between lanes.
struct TimedFrame: ~Copyable, Sendable {
    var frame: Frame
    /// Index of the picture's segment in the track.
    let segment: Int
    /// Whether no picture of the segment follows; the frame is empty then.
    var endsSegment = false
}
