internal import TakeupFFmpeg
internal import TakeupTimeline

/// What only decoding shows of a track: facts of its first picture or block of sound.
struct FirstFrame: Sendable, Equatable {
    /// The frame's own time, in the source's raw clock; nil without timestamps.
    var time: MediaTime?
    var video: VideoFormat?
    var audio: AudioFormat?
    var isInterlaced = false
    var isTopFieldFirst = false
    var displayMatrix: [Int32]?
    var masteringDisplay: MasteringDisplay?
    var contentLight: ContentLight?
}
