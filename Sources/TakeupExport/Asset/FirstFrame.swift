internal import TakeupFFmpeg
internal import TakeupTimeline

/// What only decoding shows of a track: facts of its first picture or block of sound.
struct FirstFrame: Sendable, Equatable {
    /// The frame's own time, in the source's raw clock; nil without timestamps.
    var time: MediaTime?
    var video: VideoFormat?
    var audio: AudioFormat?
    /// How the times of the first blocks of sound fit what is in them.
    var pace = SoundPace()
    /// Why a copy of the track cannot be right; nil when its first packets tell nothing against it.
    var objection: String?
    /// Whether a picture is coded without others.
    var isKey = false
    var isInterlaced = false
    var isTopFieldFirst = false
    var displayMatrix: [Int32]?
    var masteringDisplay: MasteringDisplay?
    var contentLight: ContentLight?
}
