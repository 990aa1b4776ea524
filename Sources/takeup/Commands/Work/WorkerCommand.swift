import TakeupDaemon
import TakeupJobs
import TakeupLanes
import TakeupModel
import TakeupTelemetry

/// Works on the queue until it is stopped.
struct WorkerCommand: Command {
    static let specification = CommandSpecification(
        name: "worker",
        summary: "Do the queue's jobs until stopped",
        details: """
            Any number of workers may share one database. The first SIGTERM or \
            SIGINT lets running jobs end, for --drain at most; the second gives them back to the \
            queue at once. Neither uses up an attempt. Outside of --hours nothing is started; \
            --once waits for them, ends with 3 when some of its jobs failed, and says which jobs \
            it may not take.
            """,
        options: [
            OptionSpecification(
                name: "once", help: "End when nothing is left that this worker may take")
        ] + WorkerOptions.specifications(drain: "60s") + DaemonOptions.specifications,
        essentials: [
            "once", "workers", "queues", "tags", "per-key", "drain", "memory", "hours",
            "metrics-file",
        ],
        examples: [
            .init(line: "takeup worker --workers 4", effect: "four jobs at once"),
            .init(line: "takeup worker --once --json", effect: "what is queued, then end"),
        ],
        make: { input throws(UsageError) in try WorkerCommand(input) })

    let style: OutputStyle
    private let options: WorkerOptions
    private let endsWhenDone: Bool

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try WorkerOptions(input)
        endsWhenDone = input.isOn("once")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let run = WorkerRun(options, style)
        return try await run.perform(in: context) { parts throws(Failure) in
            let watching = Locked<Task<Void, Never>?>(nil)
            return WorkerRun.Companion(
                ready: {
                    parts.log.record(.info, "ready: \(run.description(at: parts.places))")
                    guard endsWhenDone else { return }
                    watching.withLock { $0 = watch(parts) }
                },
                finished: { watching.withLock { $0 }?.cancel() })
        }
    }

    /// Ends the worker once no job waits or runs that it may take, here or elsewhere.
    private func watch(_ parts: WorkerRun.Parts) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                // A database that cannot be asked now is asked again.
                if let demands = try? parts.queue.demands(), isDone(demands, parts) {
                    let others = demands.filter { !options.scope.accepts($0) }
                    if !others.isEmpty { parts.log.record(.warning, Self.words(others)) }
                    return parts.worker.drain()
                }
                await parts.context.pause(0.1)
            }
        }
    }

    /// Jobs that the worker has left to others wait for them.
    private func isDone(_ demands: [JobDemand], _ parts: WorkerRun.Parts) -> Bool {
        let count = demands.filter(options.scope.accepts).reduce(0) { $0 + $1.count }
        let left = parts.worker.leftJobs()
        guard count > 0, !left.isEmpty else { return count == 0 }
        let states = try? parts.queue.states(JobFilter(states: [.queued, .scheduled], ids: left))
        return states?.count == count
    }

    private static func words(_ others: [JobDemand]) -> String {
        let parts = others.map { demand in
            let tags = demand.tags.isEmpty ? "" : ", for \(demand.tags.joined(separator: ","))"
            return "\(demand.count) in queue '\(demand.queue)'\(tags)"
        }
        return "jobs are left that this worker may not take (--queues, --tags): "
            + parts.joined(separator: "; ")
    }
}
