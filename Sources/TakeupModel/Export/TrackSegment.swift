public import TakeupTimeline

/// A stretch of one source's track, or empty time, placed on the output's track.
public struct TrackSegment: Sendable, Equatable, Codable {
    /// Which of the session's assets.
    public var source: Int
    /// Which of its tracks; nil stands for black pictures or silence.
    public var track: Int?
    /// In the asset's time, made continuous: where the stretch begins.
    public var sourceStart: MediaTime
    /// How long it lasts in the output.
    public var duration: MediaTime
    /// Where it lies in the output.
    public var targetStart: MediaTime
    /// Whether it reaches from the asset's first to its last moment.
    public var isWhole: Bool
    /// Whether the track must fill `duration` to the end, because another stretch follows.
    public var mustFill: Bool

    /// Whether it reaches to the asset's last moment, wherever it begins.
    public var reachesEnd: Bool
    /// How many times faster than its own the source plays; nil for its own speed.
    public var speed: Ratio?
    /// Whether the pitch of sound follows the speed; else it is kept.
    public var followsPitch = false
    /// Whether a timeline has empty time here; the source means nothing then.
    public var isEmpty = false

    package init(
        source: Int, track: Int? = nil, sourceStart: MediaTime, duration: MediaTime,
        targetStart: MediaTime, isWhole: Bool, mustFill: Bool, reachesEnd: Bool,
        speed: Ratio? = nil, isEmpty: Bool = false
    ) {
        self.source = source
        self.track = track
        self.sourceStart = sourceStart
        self.duration = duration
        self.targetStart = targetStart
        self.isWhole = isWhole
        self.mustFill = mustFill
        self.reachesEnd = reachesEnd
        self.speed = speed
        self.isEmpty = isEmpty
    }

    /// How much of the source it takes.
    package var ownDuration: MediaTime { duration.taken(at: speed) }

    /// Whether a timeline asks for more than a source as it is.
    package var isMade: Bool { isEmpty || speed != nil }

    /// Whether all that the source gives is taken, even beyond the length that its container promises.
    package var isOpenEnded: Bool { reachesEnd && !mustFill }
}
