import TakeupJobs
import TakeupWorker

/// Tells scripts of the jobs that a worker does.
struct WorkerEvents: Sendable {
    private let queue: QueueAccess
    private let style: OutputStyle
    private let context: CommandContext
    private var events: JobEvents
    private var specs: [JobID: JobSpec] = [:]

    init(_ queue: QueueAccess, _ style: OutputStyle, _ context: CommandContext) {
        (self.queue, self.style, self.context) = (queue, style, context)
        events = JobEvents(context)
    }

    mutating func take(_ event: WorkerEvent) {
        switch event {
        case .started(let job, _, _):
            if let spec = spec(of: job) { events.started(spec) }
        case .progress(let job, let progress):
            if let spec = specs[job] { events.progress(spec, progress) }
        case .warning(let job, let warning):
            if let spec = specs[job] { events.warning(spec, warning) }
        case .ended(let record): end(record)
        case .paused(let reason):
            Talk(context, style).warning("nothing is started for now: \(reason)")
        case .resumed: Talk(context, style).note("going on")
        case .noticed(let words): Talk(context, style).warning(words)
        case .rescued: break
        }
    }

    /// A job's description is asked for once an attempt, and only when it is to be told.
    private mutating func spec(of job: JobID) -> JobSpec? {
        guard style.isJSON else { return nil }
        if specs[job] == nil { specs[job] = (try? queue.job(job))?.spec }
        return specs[job]
    }

    private mutating func end(_ record: JobRecord) {
        let ending = JobEnding(record)
        if style.isJSON, let ending { events.finished(ending) }
        if ending != nil { specs[record.id] = nil }
        guard !style.isJSON, let fault = record.fault, record.state != .cancelled else { return }
        var named = fault
        named.message = "\(record.spec.title): \(fault.message)"
        if record.state == .failed || record.state == .quarantined {
            Talk(context, style).error(Failure(named))
        } else {
            Talk(context, style).warning(named.message)
        }
    }
}
