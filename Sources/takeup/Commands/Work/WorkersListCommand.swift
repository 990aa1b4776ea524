import TakeupJobs
import TakeupModel
import TakeupService

/// The group of commands about workers.
enum WorkersTable {
    static let specification = CommandSpecification(
        name: "workers",
        summary: "Show who works on the queue",
        subcommands: [WorkersListCommand.specification],
        examples: [.init(line: "takeup workers list", effect: "every worker, a line each")])
}

/// Lists the workers of a queue, on whatever machine they are.
struct WorkersListCommand: Command {
    static let specification = CommandSpecification(
        name: "list",
        summary: "List workers: machine, version, lanes, jobs, last sign of life",
        details: """
            A worker tells of itself each 15 seconds. One that has not for 45 seconds is silent: \
            it is dead or cut off, and its jobs go to others when their leases end. It is \
            forgotten after a day.
            """,
        options: StateOptions.specifications + ServerOptions.specifications,
        examples: [
            .init(line: "takeup workers list --json", effect: "an array, for scripts"),
            .init(
                line: "takeup workers list --server https://media.example",
                effect: "the workers of a server's queue"),
        ],
        make: { input throws(UsageError) in WorkersListCommand(input) })

    private static let header = [
        "HOST", "PROCESS", "STATE", "VERSION", "JOBS", "SINCE", "SEEN", "QUEUES", "TAGS",
    ]

    let style: OutputStyle
    private let state: StateOptions

    init(_ input: CommandInput) {
        (style, state) = (OutputStyle(input), StateOptions(input))
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let queue = try state.openQueue(in: context, style)
        let (workers, time) = try queue.workers?() ?? ([], 0)
        if style.isJSON {
            context.print(.list(workers.map { $0.json(at: time) }))
            return .success
        }
        guard !workers.isEmpty else {
            Console(context, style).note("no workers")
            return .success
        }
        let rows = workers.map { Self.row($0, at: time) }
        let widths = TextTable.widths([Self.header] + rows, atLeast: [])
        let palette = context.palette(style.color, isOutput: true)
        context.print(palette.paint(TextTable.line(Self.header, widths), .bold))
        for row in rows { context.print(TextTable.line(row, widths)) }
        return .success
    }

    private static func row(_ worker: WorkerEntry, at time: Double) -> [String] {
        let isAlive = worker.isAlive(at: time)
        let state = isAlive ? worker.state.rawValue : "silent"
        let running = isAlive ? "\(worker.running)" : "-"
        return [
            worker.host.escaped, "\(worker.process)", state, worker.version.escaped,
            "\(running)/\(worker.lanes)",
            Timestamp.relative(worker.startedAt, now: time),
            Timestamp.relative(worker.seenAt, now: time),
            worker.scope.queues?.sorted().joined(separator: ",") ?? "all",
            worker.scope.tags.isEmpty ? "-" : worker.scope.tags.sorted().joined(separator: ","),
        ]
    }
}
