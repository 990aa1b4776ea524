import TakeupJobs
import TakeupModel
import TakeupService
import TakeupWorker

/// Tells scripts of the jobs that a worker does, and draws them on a terminal.
struct WorkerEvents: Sendable {
    private let queue: QueueAccess
    private let style: OutputStyle
    private let context: CommandContext
    private var events: JobEvents
    private var specs: [JobID: JobSpec] = [:]
    private let live: LiveLines
    private var lanes = LaneBoard()

    /// Whatever else is written to the terminal goes through `live`, which `context` writes to.
    init(
        _ queue: QueueAccess, _ style: OutputStyle, _ context: CommandContext, _ live: LiveLines
    ) {
        (self.queue, self.style, self.context, self.live) = (queue, style, context, live)
        events = JobEvents(context)
    }

    mutating func take(_ event: WorkerEvent) {
        switch event {
        case .started(let job, _, let lane):
            let spec = spec(of: job)
            lanes.start(job, lane: lane, title: spec?.title)
            if style.isJSON, let spec { events.started(spec) }
        case .progress(let job, let progress):
            lanes.advance(job, progress)
            if style.isJSON, let spec = specs[job] { events.progress(spec, progress) }
        case .warning(let job, let warning):
            if style.isJSON, let spec = specs[job] { events.warning(spec, warning) }
        case .ended(let record): end(record)
        case .paused(let reason):
            Console(context, style).warning("nothing is started for now: \(reason)")
        case .resumed: Console(context, style).note("going on")
        case .noticed(let words): Console(context, style).warning(words)
        case .rescued: break
        }
        draw()
    }

    private func draw() {
        guard live.isOn else { return }
        let lines = LaneLines(showsUnicode: context.terminal.showsUnicode)
        live.draw(lines.lines(lanes, columns: context.columns(), rows: context.rows() - 2))
    }

    /// A job's description is asked for once an attempt, and only when it is to be told.
    private mutating func spec(of job: JobID) -> JobSpec? {
        guard style.isJSON || live.isOn else { return nil }
        if specs[job] == nil { specs[job] = (try? queue.job(job))?.spec }
        return specs[job]
    }

    private mutating func end(_ record: JobRecord) {
        lanes.leave(record.id)
        let ending = JobEnding(record)
        if style.isJSON, let ending { events.finished(ending) }
        if ending != nil { specs[record.id] = nil }
        guard !style.isJSON, let fault = record.fault, record.state != .cancelled else { return }
        var named = fault
        named.message = "\(record.spec.title): \(fault.message)"
        if record.state == .failed || record.state == .quarantined {
            Console(context, style).error(named)
        } else {
            Console(context, style).warning(named.message)
        }
    }
}
