import TakeupLanes

/// What one watched folder shows of itself to the daemon, between its lane and the daemon's.
final class WatchGauge: Sendable {
    /// A lane may be silent for so long at least, since a scan of a large folder on a slow network takes minutes.
    static let silenceSeconds = 600.0
    /// Or for so many times as long as it ever was.
    private static let silenceFactor = 4.0
    /// And never for longer.
    static let longestSilenceSeconds = 3600.0
    /// Between two looks at the figures, which walk over the files that wait.
    private static let figuresSeconds = 1.0

    private struct State {
        var figures: WatchFigures?
        var figuresAt = -Double.infinity
        var steppedAt: Double
        var longestSilence = 0.0
    }

    /// Absolute.
    let folder: String
    /// Absolute; nil for none.
    let output: String?
    private let state: Locked<State>

    init(folder: String, output: String?, now: Double) {
        (self.folder, self.output) = (folder, output)
        state = Locked(State(steppedAt: now))
    }

    /// Says that the lane has done a step.
    func step(now: Double, _ figures: @autoclosure () -> WatchFigures) {
        let isDue = state.withLock { state in
            state.longestSilence = max(state.longestSilence, now - state.steppedAt)
            state.steppedAt = now
            return now - state.figuresAt >= Self.figuresSeconds
        }
        guard isDue else { return }
        let present = figures()
        state.withLock { ($0.figures, $0.figuresAt) = (present, now) }
    }

    /// Says that a step goes on.
    func beat(now: Double) {
        state.withLock { state in
            state.longestSilence = max(state.longestSilence, now - state.steppedAt)
            state.steppedAt = now
        }
    }

    /// nil before the first step.
    var figures: WatchFigures? { state.withLock { $0.figures } }

    /// Whether everything in it was looked at, or it is known not to be there.
    var isArmed: Bool { figures.map { $0.hasScanned || !$0.isAvailable } ?? false }

    func isAlive(now: Double) -> Bool {
        let (steppedAt, longest) = state.withLock { ($0.steppedAt, $0.longestSilence) }
        let limit = min(
            Self.longestSilenceSeconds, max(Self.silenceSeconds, Self.silenceFactor * longest))
        return now - steppedAt <= limit
    }
}
