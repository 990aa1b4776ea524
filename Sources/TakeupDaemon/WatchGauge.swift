internal import TakeupIngest
internal import TakeupLanes

/// What one watched folder shows of itself to the daemon, between its lane and the daemon's.
package final class WatchGauge: Sendable {
    /// A lane may be silent for so long at least, since a scan of a large folder on a slow network takes minutes.
    static let silenceSeconds = 600.0
    /// Or for so many times as long as it ever was.
    private static let silenceFactor = 4.0
    /// And never for longer.
    static let longestSilenceSeconds = 3600.0
    /// After so long a folder that could not be looked at yet holds up the service's start no more.
    static let armingSeconds = 60.0
    /// Between two looks at the figures, which walk over the files that wait.
    private static let figuresSeconds = 1.0

    private struct State {
        var figures: WatchFigures?
        /// Why no output can be written; nil when they can.
        var missingOutput: String?
        var figuresAt = -Double.infinity
        /// The last sign of life.
        var seenAt: Double
        var longestSilence = 0.0
        /// Whether a sign of life came from within a step: the first scan goes on, or is over.
        var hasBegun = false
        /// Whether its lane has ended, as at a reload until the next one begins.
        var hasEnded = false

        mutating func see(_ now: Double) {
            longestSilence = max(longestSilence, now - seenAt)
            seenAt = now
        }
    }

    /// Absolute.
    let folder: String
    /// Absolute; nil for none.
    let output: String?
    private let beganAt: Double
    private let state: Locked<State>

    /// - Parameters:
    ///   - folder: Absolute.
    ///   - output: Absolute; nil for none.
    ///   - missingOutput: Why no output can be written; nil when they can.
    ///   - now: Of the clock that it goes by.
    package init(folder: String, output: String?, missingOutput: String? = nil, now: Double) {
        (self.folder, self.output, beganAt) = (folder, output, now)
        state = Locked(State(missingOutput: missingOutput, seenAt: now))
    }

    /// Says that the lane has done a step.
    func step(now: Double, _ figures: @autoclosure () -> WatchFigures) {
        let isDue = state.withLock { state in
            state.see(now)
            return now - state.figuresAt >= Self.figuresSeconds
        }
        guard isDue else { return }
        let present = figures()
        state.withLock { ($0.figures, $0.figuresAt) = (present, now) }
    }

    /// Says that the lane goes on within a step, such as from file to file of a scan.
    func beat(now: Double) {
        state.withLock { state in
            state.see(now)
            state.hasBegun = true
        }
    }

    /// Says that its lane has ended; what it knows of its outputs holds on.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Records why Takeup cannot write outputs now; nil if it can.
    ///
    /// - Returns: Whether the reason has changed.
    func note(missingOutput: String?) -> Bool {
        state.withLock { state in
            defer { state.missingOutput = missingOutput }
            return state.missingOutput != missingOutput
        }
    }

    var missingOutput: String? { state.withLock { $0.missingOutput } }

    /// nil before the first step.
    var figures: WatchFigures? { state.withLock { $0.figures } }

    /// Whether it holds up the service's start no more: its first scan goes on, it is known not to be there, or it hangs.
    func isArmed(now: Double) -> Bool {
        let known = state.withLock { $0 }
        let isKnown = known.figures.map { $0.hasScanned || !$0.isAvailable } ?? false
        return known.hasBegun || isKnown || now - beganAt >= Self.armingSeconds
    }

    func isAlive(now: Double) -> Bool {
        let known = state.withLock { $0 }
        // What hangs at the first touch of its disk is not cured by a restart, which ends all other work.
        let hasMoved = known.hasBegun || known.figures != nil
        let limit =
            hasMoved
            ? max(Self.silenceSeconds, Self.silenceFactor * known.longestSilence) : .infinity
        return known.hasEnded || now - known.seenAt <= min(Self.longestSilenceSeconds, limit)
    }
}
