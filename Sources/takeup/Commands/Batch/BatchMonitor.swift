import TakeupJobs
import TakeupModel
import TakeupService
import TakeupWorker

/// Brings together what the worker tells and what the queue knows of a batch, and tells it on.
actor BatchMonitor {
    /// Seconds between two looks at the queue.
    static let lookInterval = 0.25

    private let lines: LiveLines
    private let drawing: BatchLines
    private let style: OutputStyle
    private let context: CommandContext
    private let talk: Console
    private var board: BatchProgress
    private var follower: BatchFollower
    private var events: JobEvents
    private var lookedAt = -Double.infinity
    private var plainAt: Double
    /// Why nothing was started, as far as a quiet batch has said it.
    private var toldPauses: Set<String> = []
    private var outage = DatabaseOutage()
    /// Why it cannot go on; nil while it can.
    private(set) var failure: Failure?
    /// Whether the worker has ended and nothing more will be told.
    private(set) var isOver = false

    init(total: Int, _ lines: LiveLines, _ style: OutputStyle, _ context: CommandContext) {
        (self.lines, self.style, self.context) = (lines, style, context)
        drawing = BatchLines(showsUnicode: context.terminal.showsUnicode)
        talk = Console(context, style)
        let now = context.now()
        board = BatchProgress(total: total, beganAt: now)
        follower = BatchFollower([], now: 0)
        events = JobEvents(context)
        plainAt = now
    }

    /// Takes what the queue said to each job.
    func accept(_ placed: [JobSubmission]) {
        guard !placed.isEmpty else { return talk.note("there is no job in it: nothing to do") }
        let followed = placed.filter { $0.fault == nil }.map(\.spec)
        follower = BatchFollower(followed, now: context.wallClock())
        let known = placed.count { $0.answer != .accepted && $0.fault == nil }
        talk.note(Self.words(queued: followed.count, known: known, of: placed.count))
        for job in placed {
            if let fault = job.fault { note(JobEnding(job.spec, failed: fault)) }
        }
    }

    private static func words(queued: Int, known: Int, of total: Int) -> String {
        let count = queued == 1 ? "1 job" : "\(queued) jobs"
        let words = known == 0 ? "\(count) queued" : "\(count), \(known) of them known already"
        return queued == total ? words : "\(words), \(total - queued) refused"
    }

    /// - Returns: Whether there is nothing more to wait for.
    func take(_ event: WorkerEvent) -> Bool {
        switch event {
        case .started(let job, _, let lane): start(job, lane)
        case .progress(let job, let progress):
            board.lanes.advance(job, progress)
            if style.isJSON, let spec = follower.remaining[job] { events.progress(spec, progress) }
        case .warning(let job, let warning):
            if style.isJSON, let spec = follower.remaining[job] { events.warning(spec, warning) }
        case .ended(let record): end(record)
        case .paused(let reason):
            board.pauseReason = reason
            tellPause(reason)
        case .resumed:
            board.pauseReason = nil
            talk.note("going on")
        case .noticed(let words): talk.warning(words)
        case .rescued(let jobs):
            talk.note(
                "\(jobs.count == 1 ? "1 job" : "\(jobs.count) jobs") of dead workers queued again")
        }
        return follower.remaining.isEmpty
    }

    /// Looks at the queue when that is due, and draws.
    ///
    /// - Returns: Whether there is nothing more to wait for.
    func look(at queue: QueueAccess) -> Bool {
        let now = context.now()
        if now - lookedAt >= Self.lookInterval {
            lookedAt = now
            find(in: queue)
        }
        show(now)
        return follower.remaining.isEmpty || failure != nil
    }

    /// Takes what ended last, once the worker has, and why it did so by itself.
    func end(_ queue: QueueAccess, _ reason: Failure?) {
        find(in: queue)
        failure = failure ?? reason
        if context.interrupts.signal == nil, failure == nil, !follower.remaining.isEmpty {
            failure = Failure(
                exitCode: .internalError, code: "workerEnded", stage: "request",
                message: "the worker ended before its jobs did",
                hint: "run the same command again to do the remaining jobs")
        }
        isOver = true
    }

    /// Tells what it came to, and says what the command ends with.
    func close(signal: Int32?) -> ExitCode {
        lines.close()
        let summary = BatchSummary(board: board, seconds: context.now() - board.beganAt)
        if style.isJSON {
            context.print(summary.json)
        } else if !style.isQuiet {
            summary.lines.forEach(context.print)
        }
        let left = board.total - board.done
        if left > 0 {
            talk.note(
                "\(left == 1 ? "1 job stays" : "\(left) jobs stay") in the queue;"
                    + " the same command goes on with them")
        }
        if let signal { return .stopped(by: signal) }
        return board.count(.failed) + board.count(.cancelled) > 0 ? .someFailed : .success
    }

    /// Without a word about it, a quiet batch would wait for ever for somebody to make room; one word is enough.
    private func tellPause(_ reason: String) {
        guard !style.isQuiet || toldPauses.insert(reason).inserted else { return }
        Console(context, color: style.color).warning("nothing is started for now: \(reason)")
    }

    private func start(_ job: JobID, _ lane: Int) {
        let spec = follower.remaining[job]
        board.lanes.start(job, lane: lane, title: spec?.title)
        if style.isJSON, let spec { events.started(spec) }
    }

    private func end(_ record: JobRecord) {
        board.lanes.leave(record.id)
        if let ending = follower.end(record) {
            note(ending)
        } else if record.state == .scheduled, follower.remaining[record.id] != nil {
            tellDelay(record)
        }
    }

    /// One that only waits a moment, for another job that does the same work, goes without a word.
    private func tellDelay(_ record: JobRecord) {
        let now = context.wallClock()
        if record.note != nil, record.runAt - now < 1 { return }
        let reason = record.note ?? record.fault?.message ?? "it was given back"
        let time = Timestamp.relative(record.runAt, now: now)
        talk.note("\(record.spec.title): tries again \(time): \(reason)")
    }

    /// A database that is busy, or a server that restarts, is asked again at the next look.
    private func find(in queue: QueueAccess) {
        do throws(Failure) {
            for ending in try follower.look(at: queue) { note(ending) }
            outage.end(talk)
        } catch {
            do throws(Failure) {
                // A quiet batch tells this, too: it would wait for ever without a word.
                try outage.begin(error, Console(context, color: style.color))
            } catch {
                failure = error
            }
        }
    }

    private func note(_ ending: JobEnding) {
        let sources = ending.spec.request.composition.mediaSources
        let sizes = sources.map { OutputPath.size($0) ?? 0 }
        board.end(
            ending,
            sourceBytes: sources.contains(where: SourceText.isAddress) ? nil : sizes.reduce(0, +))
        if style.isJSON { events.finished(ending) }
        for warning in ending.result?.warnings ?? [] {
            talk.warning("\(ending.spec.title): \(warning.message)")
        }
        switch ending.status {
        case .failed:
            guard let fault = ending.fault else { return }
            var failure = fault
            failure.message = "\(ending.spec.title): \(fault.message)"
            talk.error(failure)
        case .succeeded, .cached, .cancelled:
            if !lines.isOn || style.isVerbose {
                talk.note("\(board.done)/\(board.total) \(EndingText.line(ending))")
            }
        }
    }

    private func show(_ now: Double) {
        if lines.isOn {
            lines.draw(
                drawing.lines(board, now: now, columns: context.columns(), rows: context.rows()))
        } else if now - plainAt >= ProgressPrinter.plainInterval, board.done < board.total {
            plainAt = now
            talk.note(drawing.plain(board, now: now))
        }
    }
}
