internal import TakeupTimeline

/// Compares the times of a track's first blocks of sound with how much sound each of them holds.
///
/// Pure: it is told of blocks.
struct SoundPace: Sendable, Equatable {
    /// Steps of time, and seconds of sound, after which enough is known.
    private static let (enoughSteps, enoughSeconds) = (8, 0.1)
    /// Steps of time that a judgement needs.
    private static let leastSteps = 3
    /// What a step may differ from its sound by: clocks that drift do so by less.
    private static let tolerance = 0.1
    /// What rounded times may differ by altogether, in seconds, as in `SoundClock`.
    private static let jitter = 0.02

    private struct Step: Equatable {
        let elapsed: Double
        let sound: Double
    }

    private var steps: [Step] = []
    private var newest: MediaTime?
    /// Seconds of sound since the newest time.
    private var sound = 0.0

    /// Takes in the next block.
    ///
    /// - Parameters:
    ///   - time: When it begins; nil when the source does not say.
    ///   - seconds: How much sound is in it.
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

    /// Whether later blocks are not needed.
    var isKnown: Bool {
        steps.count >= Self.enoughSteps && steps.reduce(0) { $0 + $1.sound } >= Self.enoughSeconds
    }

    /// Whether enough blocks came for a judgement.
    var canJudge: Bool { steps.count >= Self.leastSteps }

    /// How many seconds of time pass for each second of sound, where every step is too short for its
    /// sound, or every step too long; nil where the times fit.
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
