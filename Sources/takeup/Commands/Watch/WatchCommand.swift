import TakeupIngest
import TakeupModel
import TakeupService
import TakeupWatch

/// The watch-folder daemon.
struct WatchCommand: Command {
    static let specification = CommandSpecification(
        name: "watch",
        summary: "Export whatever lands in a folder, until stopped",
        details: """
            The daemon takes a file once it is stable and no process has it open for writing. The same \
            command goes on after a stop or a kill. The first SIGTERM or SIGINT lets running jobs \
            end, for --drain at most; the second gives them back to the queue.
            """,
        notes: """
            A rename, a touch or a copy back of a file that was done makes no new job. Names that \
            start with a dot, unfinished downloads and what a .takeupignore in the folder says are \
            left alone. Outside of --hours files are still noticed and queued, and no job is \
            started. Folders with settings, rules and hooks stand in the configuration, under \
            'watch': takeup-config(5). SIGHUP reads it again, unless standard \
            error is a terminal.
            """,
        argument: ArgumentSpecification(
            name: "DIR", count: 0...64, completion: .directory,
            help: "Folders to watch, with all below them; default: those of the configuration"),
        options: folderOptions + WatchOptions.actions + WorkerOptions.specifications(drain: "60s")
            + DaemonOptions.specifications,
        essentials: [
            "output", "after", "stable", "exclude", "preset", "once", "explain", "reprocess",
            "workers",
        ],
        examples: [
            .init(
                line: "takeup watch inbox --output outbox --preset 1280x720",
                effect: "every video that is copied into inbox, as an MP4 below outbox"),
            .init(
                line: "takeup watch inbox -o outbox --after move",
                effect: "the same; what is done goes to inbox/done"),
            .init(line: "takeup watch inbox -o outbox --once", effect: "what is there, then end"),
            .init(line: "takeup watch --explain inbox/clip.mov", effect: "why it was not taken"),
        ],
        make: { input throws(UsageError) in try WatchCommand(input) })

    /// What may differ from folder to folder.
    static let folderOptions = WatchOptions.specifications + jobOptions

    /// A name that is taken ends no job that nobody looks at: the next free one is.
    private static let jobOptions = JobOptions.specifications.map { option in
        var option = option
        if option.name == "overwrite" { option.defaultValue = "unique" }
        return option
    }

    let style: OutputStyle
    private let input: CommandInput
    private let worker: WorkerOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        self.input = input
        worker = try WorkerOptions(input)
        // What is wrong on the command line is said with the command's help.
        _ = try WatchOptions(input)
        _ = try JobOptions(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let places = try worker.places(in: context)
        if let path = input.value("explain") {
            return try WatchExplain(input: input, places: places, style: style)
                .tell(path, in: context)
        }
        if let path = input.value("accept-output") {
            return try WatchReprocess(input, places, style).accept(path, in: context)
        }
        let again = input.values("reprocess")
        if !again.isEmpty {
            return try WatchReprocess(input, places, style).ask(for: again, in: context)
        }
        let plan = try WatchPlan(input, in: context)
        try FolderTerritories(plan.requests, home: places.home, cache: places.cache).check()
        try plan.checkHooks(context.environment)
        return try await WatchRun(input, places, worker, style).perform(plan, in: context)
    }
}
