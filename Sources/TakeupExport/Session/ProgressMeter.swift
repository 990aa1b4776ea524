internal import TakeupLanes
internal import TakeupTimeline

/// One clock for the progress of a whole export, which never goes back.
final class ProgressMeter: Sendable {
    private struct State {
        var progress = ExportProgress(phase: .analyse, fraction: 0)
        /// The part of the whole that the present step takes, from and to.
        var span = (from: 0.0, to: 0.0)
        var total = MediaTime.zero
        var began: ContinuousClock.Instant?
        var lastReport: ContinuousClock.Instant?
    }

    private let state = Locked(State())
    private let report: @Sendable (ExportProgress) -> Void
    private let interval: Duration

    /// - Parameters:
    ///   - interval: At most one report in this time, besides those that begin a phase.
    ///   - report: Called on the lane that made the progress; must return soon.
    init(interval: Duration, report: @escaping @Sendable (ExportProgress) -> Void) {
        self.interval = interval
        self.report = report
    }

    /// Begins a step that takes the fraction of the whole from `from` to `to`.
    ///
    /// It works through `total` of media, which is zero when that is not known.
    func begin(_ phase: ExportPhase, from: Double, to: Double, total: MediaTime = .zero) {
        let now = ContinuousClock.now
        let progress = state.withLock { state in
            state.span = (from, to)
            state.total = total
            state.progress.phase = phase
            state.progress.fraction = max(state.progress.fraction, from)
            state.began = now
            state.lastReport = now
            return state.progress
        }
        report(progress)
    }

    /// Says that the step has come to a moment of the media.
    func reach(_ time: MediaTime) {
        let now = ContinuousClock.now
        let due = state.withLock { state -> ExportProgress? in
            guard state.total > .zero else { return nil }
            let done = max(0, min(1, time.seconds / state.total.seconds))
            let (from, to) = state.span
            state.progress.fraction = max(state.progress.fraction, from + (to - from) * done)
            guard let last = state.lastReport, now - last >= interval else { return nil }
            state.lastReport = now
            estimate(&state, now, done)
            return state.progress
        }
        if let due { report(due) }
    }

    private func estimate(_ state: inout State, _ now: ContinuousClock.Instant, _ done: Double) {
        guard let began = state.began else { return }
        let seconds = (now - began) / .seconds(1)
        guard seconds > 0.2, done > 0 else { return }
        let speed = done * state.total.seconds / seconds
        state.progress.speed = speed
        guard speed > 0 else { return }
        let rest = (1 - state.progress.fraction) / max(0.001, state.span.to - state.span.from)
        state.progress.etaSeconds = rest * state.total.seconds / speed
    }
}
