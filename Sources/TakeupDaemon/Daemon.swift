package import Foundation
internal import TakeupFiles
package import TakeupJobs
internal import TakeupLanes
package import TakeupModel
package import TakeupService
package import TakeupTelemetry

/// What a command that runs for years is to the machine: it tells systemd how it fares, writes metrics, and keeps to its hours.
///
/// It knows neither how many folders are watched nor which: they come and go while it runs. May be used from any thread.
package final class Daemon: Sendable {
    /// Between two looks at the queue for the line that people see.
    private static let lookSeconds = 2.0
    private static let metricsSeconds = 10.0
    /// How long the last metrics may take; a disk that hangs keeps nobody from ending.
    private static let endingSeconds = 5.0

    /// Why nothing is started.
    private struct Closing {
        var hours: String?
        var output: String?
        var isApplied = false
    }

    private let command: String
    private let notifier: ServiceNotifier?
    private let makeMeasuring: @Sendable (DaemonState) -> DaemonMeasuring
    private let metricsFile: MetricsFile?
    private let clock: DaemonClock
    private let log: Log
    private let board: DaemonState
    private let life: Locked<ServiceLife>
    private let end = Cancellation()
    private let closed = Locked(Closing())
    private let turn = Locked(())
    /// For those who ask, beside the lane that writes the file.
    private let asked: Locked<DaemonMeasuring>
    private let zone: @Sendable () -> TimeZone

    package init(
        _ settings: DaemonSettings, _ places: StatePlaces, _ log: Log,
        cache: @escaping @Sendable () -> CacheFigures?,
        zone: @escaping @Sendable () -> TimeZone = { TimeZone.current }
    ) {
        notifier = ServiceNotifier(environment: settings.environment)
        metricsFile = settings.metricsPath.map { MetricsFile(path: $0) }
        (clock, self.log, self.zone) = (settings.clock, log, zone)
        board = DaemonState(settings.schedule)
        command = settings.command
        let life = ServiceLife(
            watchdogSeconds: notifier?.watchdogSeconds, drainSeconds: settings.drainSeconds,
            now: settings.clock.now())
        self.life = Locked(life)
        makeMeasuring = {
            DaemonMeasuring(
                places, cache, $0, aliveSeconds: life.aliveSeconds, settings.clock)
        }
        asked = Locked(makeMeasuring(board))
    }

    /// Tells of everything while `body` runs.
    package func run<Value: Sendable>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let done = Bell()
        Lane("takeup.notify").start { [self] in
            follow()
            done.ring()
        }
        Lane("takeup.metrics").start { [self] in
            measure()
            done.ring()
        }
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        stopping()
        end.cancel()
        await withCheckedContinuation { continuation in
            Lane("takeup.ending").start {
                let end = ContinuousClock.now + .seconds(Self.endingSeconds)
                for _ in 0..<2 { done.wait(until: end) }
                continuation.resume()
            }
        }
        return try result.get()
    }

    /// Takes a worker that has not started; outside of the hours it is suspended when this returns.
    package func attach(_ worker: WorkerAccess, _ queue: QueueAccess) {
        // Before the lane that looks at the clock knows it: nothing else suspends or resumes it meanwhile.
        lookAtHours()
        holdBack(worker)
        board.attach(worker, queue)
    }

    /// Takes the folders that are watched from now on, in place of those before; each one's lane tells its gauge of each step.
    ///
    /// Before `attach`, so that nothing is started whose output has no place.
    package func watch(_ gauges: [WatchGauge]) {
        board.set(gauges)
        if let worker = board.worker { holdBack(worker) }
    }

    /// Why no output can be written to a folder, as far as is known of one that is watched; nil when they can.
    package func missingOutput(in output: String) -> String? {
        board.gauges.first { $0.output == output }?.missingOutput
    }

    /// Says why no output of a folder can be written, or that they can: what follows for the worker follows at once.
    package func note(missingOutput: String?, of gauge: WatchGauge) {
        guard gauge.note(missingOutput: missingOutput), let worker = board.worker else { return }
        holdBack(worker)
    }

    /// Says that everything has been registered that has to be looked through before the service counts as ready.
    package func arm() { board.arm() }

    /// Says that settings are read anew from now on.
    package func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        tell(life.withLock { $0.reload(monotonicMicroseconds: microseconds) })
    }

    /// Says that they have been, whether or not they could be used.
    package func reloaded() { tell(life.withLock { $0.endReload() }) }

    /// Says that nothing is started any more and that running jobs end; may come twice.
    package func stopping() {
        board.stop()
        let now = clock.now()
        tell(life.withLock { $0.stop(now: now) })
    }

    private func tell(_ message: ServiceMessage?) {
        guard let message, let notifier else { return }
        if !notifier.send(message) { life.withLock { $0.takeBack(message) } }
    }

    // MARK: - The lanes

    /// Touches no disk and no database: what is stuck there must not stop it.
    private func follow() {
        let (tick, alive) = life.withLock { ($0.tickSeconds, $0.aliveSeconds) }
        let bell = bell()
        while !end.isCancelled {
            if let worker = board.worker {
                lookAtHours()
                holdBack(worker)
            }
            let now = clock.now()
            let facts = board.facts(now: now, aliveSeconds: alive)
            tell(life.withLock { $0.look(facts, now: now) })
            // Just behind the moment at which the hours begin or end.
            let pause = min(tick, secondsToChange() + 0.001)
            bell.wait(seconds: max(0.01, pause))
        }
        life.withLock { $0.end() }
    }

    private func measure() {
        guard notifier != nil || metricsFile != nil else { return }
        let (measuring, bell) = (makeMeasuring(board), bell())
        var writtenAt = -Double.infinity
        var isWell = true
        while !end.isCancelled {
            measuring.look()
            let now = clock.now()
            if now - writtenAt >= Self.metricsSeconds - 0.01 {
                writtenAt = now
                isWell = write(measuring, wasWell: isWell)
            }
            bell.wait(seconds: Self.lookSeconds)
        }
        _ = write(measuring, wasWell: isWell)
    }

    /// - Returns: Whether it could be written, which is said only when it changes.
    private func write(_ measuring: DaemonMeasuring, wasWell: Bool) -> Bool {
        guard let metricsFile else { return true }
        let label = Metrics.Label("command", command)
        let text = MetricsText(measuring.figures().metrics, everywhere: label).description
        do throws(FileError) {
            try metricsFile.write(text)
            if !wasWell { log.record(.info, "metrics are written again to \(metricsFile.path)") }
            return true
        } catch {
            if wasWell {
                let path = metricsFile.path
                log.record(.warning, "cannot write metrics to \(path): \(error.reason)")
            }
            return false
        }
    }

    /// What it measures now; blocks on the disk and the database.
    package func metrics() -> Metrics { asked.withLock { $0.figures().metrics } }

    private func bell() -> Bell {
        let bell = Bell()
        end.onCancel { bell.ring() }
        return bell
    }

    private func lookAtHours() {
        let (time, zone) = (Date(timeIntervalSince1970: clock.wallClock()), zone())
        switch board.ask({ $0.look(at: time, in: zone) }) {
        case .close(let reason):
            closed.withLock { $0.hours = reason }
            // Though something else holds it back already, running jobs are to be given back.
            if board.schedule?.closing == .checkpoint { closed.withLock { $0.isApplied = false } }
        case .open: closed.withLock { $0.hours = nil }
        case nil: break
        }
    }

    /// Suspends the worker outside of the hours and while a disk for outputs is missing, and else resumes it.
    ///
    /// One after the other, from its own lane and from folders' lanes: the last word is the latest. The worker's side takes
    /// no lock of this one.
    private func holdBack(_ worker: WorkerAccess) {
        turn.withLock { _ in decide(for: worker) }
    }

    private func decide(for worker: WorkerAccess) {
        let output = board.missingOutput
        let (now, isApplied) = closed.withLock { closed in
            // Though the hours hold it back already, running jobs are to be given back.
            if closed.output == nil, output != nil { closed.isApplied = false }
            closed.output = output
            defer { closed.isApplied = (closed.hours ?? closed.output) != nil }
            return (closed, closed.isApplied)
        }
        switch now.hours ?? now.output {
        case let reason? where !isApplied:
            let isCheckpoint = now.hours != nil && board.schedule?.closing == .checkpoint
            worker.suspend(reason, isCheckpoint || now.output != nil)
        case nil where isApplied: worker.resume()
        case .some, nil: break
        }
    }

    private func secondsToChange() -> Double {
        let (time, zone) = (Date(timeIntervalSince1970: clock.wallClock()), zone())
        return board.schedule?.secondsToChange(from: time, in: zone) ?? .infinity
    }
}
