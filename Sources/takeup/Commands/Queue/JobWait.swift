import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupService

/// Follows one job to its end.
struct JobWait: Sendable {
    /// Seconds between two looks at the queue.
    static let interval = 0.2
    /// The same where somebody tells of what happens: for signals.
    private static let newsInterval = 1.0
    /// Answered looks after which a job that nobody has begun is worth a word.
    private static let looksBeforeWord = 15

    private let spec: JobSpec
    private let queue: QueueAccess
    private let style: OutputStyle
    /// Nil waits as long as the job takes.
    private let timeoutSeconds: Double?
    /// The server whose queue it is; nil for this machine's own.
    private let server: String?

    init(
        _ spec: JobSpec, _ queue: QueueAccess, _ style: OutputStyle, server: String?,
        timeoutSeconds: Double? = nil
    ) {
        (self.spec, self.queue, self.style) = (spec, queue, style)
        (self.server, self.timeoutSeconds) = (server, timeoutSeconds)
    }

    /// - Returns: Also 130 or 143 when a signal ends the waiting.
    /// - Throws: What the job failed with, or with 75 when the time is over.
    func perform(in context: CommandContext) async throws(Failure) -> ExitCode {
        let printer = ProgressPrinter(context)
        var events = JobEvents(context)
        let stop: @Sendable (Int32) -> Void = { _ in
            printer.close()
            context.hurry()
        }
        context.interrupts.setStop(stop)
        defer {
            context.interrupts.setStop(nil)
            printer.close()
        }
        let deadline = timeoutSeconds.map { context.now() + $0 }
        var looks = 0
        var outage = DatabaseOutage()
        var state: JobState?
        while true {
            if let record = try look(&outage, stop, in: context) {
                state = record.state
                if let ending = JobEnding(record) {
                    printer.close()
                    return try end(ending, &events, in: context)
                }
                show(record, printer, &events)
                looks += 1
                if looks == Self.looksBeforeWord, state == .queued {
                    Console(context, style).note(
                        "no worker has begun it yet; 'takeup worker' runs one")
                }
            }
            if context.interrupts.signal != nil { return leave(state ?? .queued, in: context) }
            if let deadline, context.now() >= deadline { throw over(state ?? .queued) }
            let left = deadline.map { $0 - context.now() } ?? .infinity
            if let waitForNews = queue.waitForNews {
                await waitForNews(spec.id, min(Self.newsInterval, left))
            } else {
                await context.pause(min(Self.interval, left))
            }
        }
    }

    /// - Returns: The job; nil while the database does not answer.
    private func look(
        _ outage: inout DatabaseOutage, _ stop: @escaping @Sendable (Int32) -> Void,
        in context: CommandContext
    ) throws(Failure) -> JobRecord? {
        let talk = Console(context, style)
        do throws(Failure) {
            var record = try queue.job(spec.id)
            if record?.state.isTerminal == true {
                // While this waits for a standby, a signal ends the program at once.
                context.interrupts.setStop(nil)
                defer { context.interrupts.setStop(stop) }
                record = try queue.confirmed(JobFilter(ids: [spec.id])).first
            }
            guard let record else { throw Failure.forgotten(spec.id) }
            outage.end(talk)
            return record
        } catch {
            try outage.begin(error, talk)
            return nil
        }
    }

    private func show(
        _ record: JobRecord, _ printer: ProgressPrinter, _ events: inout JobEvents
    ) {
        guard record.state == .running else { return }
        if style.isJSON { events.started(record.spec) }
        guard let progress = record.progress else { return }
        if style.isJSON { events.progress(record.spec, progress) }
        if !style.isQuiet { printer.show(progress) }
    }

    private func leave(_ state: JobState, in context: CommandContext) -> ExitCode {
        let id = spec.id.rawValue
        let place = server.map { " --server \($0.shellWord)" } ?? ""
        Console(context, style).note(
            "not waiting any more; '\(id)' stays in the queue (\(state.rawValue)),"
                + " 'takeup jobs cancel \(id.shellWord)\(place)' takes it out")
        return .stopped(by: context.interrupts.signal)
    }

    private func over(_ state: JobState) -> Failure {
        let id = spec.id.rawValue
        return Failure(
            exitCode: .temporary, code: "waitEnded", stage: "request",
            message: "the job '\(id)' has not ended within \(Timestamp.span(timeoutSeconds ?? 0)):"
                + " it is \(state.rawValue) and stays in the queue",
            hint: "'takeup jobs show \(id.shellWord)' shows its progress;"
                + " run the same command to wait again")
    }

    private func end(
        _ ending: JobEnding, _ events: inout JobEvents, in context: CommandContext
    ) throws(Failure) -> ExitCode {
        if style.isJSON { events.finished(ending) }
        let talk = Console(context, style)
        if let fault = ending.fault {
            // `finished` has told a script already.
            guard style.isJSON else { throw fault }
            talk.error(fault)
            return fault.status
        }
        for warning in ending.result?.warnings ?? [] { talk.warning(warning.message) }
        talk.note(EndingText.line(ending))
        return .success
    }
}
