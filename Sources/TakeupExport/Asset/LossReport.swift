public import TakeupTimeline

/// How much of a source is missing or undecodable.
public struct LossReport: Sendable, Equatable, Codable {
    /// Seconds lost in the track that lost most.
    public var lostSeconds: MediaTime
    /// What was lost, a sentence a track, such as `video: 82 of 180 frames are missing (2.733 s)`.
    public var details: [String]
    /// Whether the source simply ends too early; otherwise it is damaged inside.
    public var isTruncated: Bool

    /// How much is lost, in words that end in a verb, such as `2.733 s are`.
    public var extent: String {
        let isKnown = lostSeconds > MediaTime(value: 1, timescale: 2000)
        return isKnown ? "\(lostSeconds) are" : "a part of unknown length is"
    }

    public init(lostSeconds: MediaTime, details: [String], isTruncated: Bool) {
        self.lostSeconds = lostSeconds
        self.details = details
        self.isTruncated = isTruncated
    }
}
