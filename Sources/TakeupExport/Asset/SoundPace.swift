internal import TakeupTimeline

/// Compares the timestamps of a track's first audio blocks with the blocks' lengths.
///
/// Performs no I/O: the caller supplies the blocks.
struct SoundPace: Sendable, Equatable {
    /// Number of timestamp steps, and seconds of sound, that are enough.
    private static let (enoughSteps, enoughSeconds) = (8, 0.1)
    /// Number of timestamp steps that a judgement needs.
    private static let leastSteps = 3
    /// Tolerated difference between a step and its sound, as a fraction; drifting clocks differ by
    /// less.
    private static let tolerance = 0.1
    /// Tolerated total difference of rounded timestamps, in seconds, as in `SoundClock`.
    private static let jitter = 0.02

    private struct Step: Equatable {
        let elapsed: Double
        let sound: Double
    }

    private var steps: [Step] = []
    private var newest: MediaTime?
    /// Seconds of sound since the newest timestamp.
    private var sound = 0.0

    /// Processes the next block.
    ///
    /// - Parameters:
    ///   - time: The block's start; nil if the source states none.
    ///   - seconds: Length of the block's sound, in seconds.
    mutating func add(_ time: MediaTime?, lasting seconds: Double) {
        if let time {
            if let newest {
                steps.append(Step(elapsed: (time - newest).seconds, sound: sound))
            }
            newest = time
            sound = 0
        }
        sound += seconds
    }

    /// Whether no more blocks are needed.
    var isKnown: Bool {
        steps.count >= Self.enoughSteps && steps.reduce(0) { $0 + $1.sound } >= Self.enoughSeconds
    }

    /// Whether enough blocks exist for a judgement.
    var canJudge: Bool { steps.count >= Self.leastSteps }

    /// Seconds of timestamps per second of sound, if every step is too short or every step too
    /// long; nil if the timestamps fit.
    var wrongRatio: Double? {
        guard canJudge, steps.allSatisfy({ $0.elapsed >= 0 }) else {
            return nil
        }
        let isSlow = steps.allSatisfy { $0.elapsed < $0.sound * (1 - Self.tolerance) }
        let isFast = steps.allSatisfy { $0.elapsed > $0.sound * (1 + Self.tolerance) }
        let elapsed = steps.reduce(0) { $0 + $1.elapsed }
        let sound = steps.reduce(0) { $0 + $1.sound }
        guard isSlow || isFast, sound > 0, abs(elapsed - sound) > Self.jitter else { return nil }
        return elapsed / sound
    }
}
