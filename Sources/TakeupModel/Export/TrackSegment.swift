public import TakeupTimeline

/// A stretch of one source's track, placed on the output's track.
public struct TrackSegment: Sendable, Equatable, Codable {
    /// Which of the session's assets.
    public var source: Int
    /// Which of its tracks; nil stands for silence.
    public var track: Int?
    /// In the asset's time, made continuous: where the stretch begins.
    public var sourceStart: MediaTime
    public var duration: MediaTime
    /// Where it lies in the output.
    public var targetStart: MediaTime
    /// Whether it reaches from the asset's first to its last moment.
    public var isWhole: Bool
    /// Whether the track must fill `duration` to the end, because another stretch follows.
    public var mustFill: Bool

    /// Whether it reaches to the asset's last moment, wherever it begins.
    public var reachesEnd: Bool

    package init(
        source: Int, track: Int? = nil, sourceStart: MediaTime, duration: MediaTime,
        targetStart: MediaTime, isWhole: Bool, mustFill: Bool, reachesEnd: Bool
    ) {
        self.source = source
        self.track = track
        self.sourceStart = sourceStart
        self.duration = duration
        self.targetStart = targetStart
        self.isWhole = isWhole
        self.mustFill = mustFill
        self.reachesEnd = reachesEnd
    }

    /// Whether all that the source gives is taken, even beyond the length that its container promises.
    package var isOpenEnded: Bool { reachesEnd && !mustFill }
}
