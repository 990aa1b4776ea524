public import TakeupTimeline

/// What decoding a file whole found.
public struct Verification: Sendable, Equatable, Codable {
    public var duration: MediaTime
    /// Frames decoded of the first video track; 0 without one.
    public var frames: Int
    /// What is wrong, a sentence each; empty when nothing is.
    public var problems: [String]
    /// About how much of the worst track could not be decoded.
    public var lostSeconds = MediaTime.zero
    /// The problems of single tracks, by their place in the file.
    package var trackProblems: [Int: String] = [:]
    /// Problems that concern no single track.
    package var generalProblems: [String] = []

    package init(
        duration: MediaTime, frames: Int, problems: [String], lostSeconds: MediaTime = .zero,
        trackProblems: [Int: String] = [:], generalProblems: [String] = []
    ) {
        self.duration = duration
        self.frames = frames
        self.problems = problems
        self.lostSeconds = lostSeconds
        self.trackProblems = trackProblems
        self.generalProblems = generalProblems
    }
}
