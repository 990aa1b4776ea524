internal import TakeupLanes
internal import TakeupTimeline

/// Combines the progress of a whole export; the result never decreases.
final class ProgressMeter: Sendable {
    private struct State {
        var progress = ExportProgress(phase: .analyse, fraction: 0)
        /// Start and end of the current step, as fractions of the whole.
        var span = (from: 0.0, to: 0.0)
        var total = MediaTime.zero
        var began: ContinuousClock.Instant?
        var lastReport: ContinuousClock.Instant?
    }

    private let state = Locked(State())
    private let report: @Sendable (ExportProgress) -> Void
    private let interval: Duration

    /// - Parameters:
    ///   - interval: Shortest time between two reports, except those that begin a phase.
    ///   - report: Called on the lane that made the progress; must return soon.
    init(interval: Duration, report: @escaping @Sendable (ExportProgress) -> Void) {
        self.interval = interval
        self.report = report
    }

    /// Begins a step that covers the fraction of the whole from `from` to `to`.
    ///
    /// `total` is the duration of media in this step, zero if unknown. If progress has already
    /// passed the step, the step takes half of the rest. Progress that does not rise would look
    /// like a hang.
    func begin(_ phase: ExportPhase, from: Double, to: Double, total: MediaTime = .zero) {
        let now = ContinuousClock.now
        let progress = state.withLock { state in
            let from = max(from, state.progress.fraction)
            state.span = (from, to > from ? to : from + (1 - from) / 2)
            state.total = total
            state.progress.phase = phase
            state.progress.fraction = from
            state.began = now
            state.lastReport = now
            return state.progress
        }
        report(progress)
    }

    /// How much of the whole is done, from 0 to 1.
    var fraction: Double { state.withLock { $0.progress.fraction } }

    /// Starts another pass over the current step's media, in a tenth of the remaining fraction.
    func again() {
        let (progress, total) = state.withLock { ($0.progress, $0.total) }
        let from = progress.fraction
        begin(progress.phase, from: from, to: from + (1 - from) / 10, total: total)
    }

    /// Reports that the step has reached a time in the media.
    func reach(_ time: MediaTime) { reach { time.seconds / $0.total.seconds } }

    /// Reports how much of the step is done, from 0 to 1.
    func reach(share: Double) { reach { _ in share } }

    private func reach(_ share: (State) -> Double) {
        let now = ContinuousClock.now
        let due = state.withLock { state -> ExportProgress? in
            guard state.total > .zero else { return nil }
            let done = max(0, min(1, share(state)))
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
