internal import TakeupFFmpeg
internal import TakeupTimeline

/// Facts of a track's first picture or block of sound, known only from decoding.
struct FirstFrame: Sendable, Equatable {
    /// The frame's own time, on the source's raw clock; nil without timestamps.
    var time: MediaTime?
    var video: VideoFormat?
    var audio: AudioFormat?
    /// How well the timestamps of the first audio blocks match their lengths.
    var pace = SoundPace()
    /// Why a copy of the track must be wrong; nil if the first packets show no reason.
    var objection: String?
    /// Whether the picture is a keyframe.
    var isKey = false
    var isInterlaced = false
    var isTopFieldFirst = false
    var displayMatrix: [Int32]?
    var masteringDisplay: MasteringDisplay?
    var contentLight: ContentLight?
}
