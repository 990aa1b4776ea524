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

extension LossReport {
    /// What tracks beside one another lost: as much as the worst of them.
    package static func beside(_ losses: [LossReport]) -> LossReport? {
        combine(losses, losing: losses.map(\.lostSeconds).max() ?? .zero)
    }

    /// What stretches one after another lost: all of it.
    package static func inTurn(_ losses: [LossReport]) -> LossReport? {
        combine(losses, losing: losses.map(\.lostSeconds).reduce(.zero, +))
    }

    private static func combine(
        _ losses: [LossReport], losing lostSeconds: MediaTime
    ) -> LossReport? {
        guard !losses.isEmpty else { return nil }
        return LossReport(
            lostSeconds: lostSeconds, details: losses.flatMap(\.details),
            isTruncated: losses.contains(where: \.isTruncated))
    }

    /// Says which of several parts it is that lost something.
    package mutating func name(part place: Int, of count: Int) {
        guard count > 1 else { return }
        details = details.map { "part \(place + 1) of \(count): \($0)" }
    }
}
