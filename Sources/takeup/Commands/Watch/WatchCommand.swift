import TakeupIntake
import TakeupWatch

/// The watch-folder daemon.
struct WatchCommand: Command {
    static let specification = CommandSpecification(
        name: "watch",
        summary: "Export whatever lands in a folder, until stopped",
        details: """
            A file is taken once it has stood still and nobody has it open for writing; a rename, a \
            touch or a copy back of what was done makes nothing anew. Everything outlives a kill: \
            the same command goes on where the last one was. Names that start with a dot, unfinished \
            downloads and what a .takeupignore in the folder says are left alone. The first SIGTERM \
            or SIGINT lets running jobs end, for --drain at most; the second gives them back. Outside of \
            --hours files are still noticed and queued, and no job is started.
            """,
        argument: ArgumentSpecification(
            name: "DIR", count: 1...64, completion: .directory,
            help: "Folders to watch, with all below them"),
        options: WatchOptions.specifications + jobOptions
            + WorkerOptions.specifications(drain: "60s") + DaemonOptions.specifications,
        examples: [
            .init(
                line: "takeup watch inbox --output outbox --preset 1280x720",
                effect: "every video that is copied into inbox, as an MP4 below outbox"),
            .init(
                line: "takeup watch inbox -o outbox --after move",
                effect: "the same; what is done goes to inbox/done"),
            .init(line: "takeup watch inbox -o outbox --once", effect: "what is there, then end"),
        ],
        make: { input throws(UsageError) in try WatchCommand(input) })

    /// A name that is taken ends no job that nobody looks at: the next free one is.
    private static let jobOptions = JobOptions.specifications.map { option in
        var option = option
        if option.name == "overwrite" { option.defaultValue = "unique" }
        return option
    }

    let style: OutputStyle
    private let folders: [String]
    private let watch: WatchOptions
    private let jobs: JobOptions
    private let worker: WorkerOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        folders = input.arguments
        watch = try WatchOptions(input)
        jobs = try JobOptions(input)
        worker = try WorkerOptions(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let options = try jobs.batchOptions(in: context)
        let places = try worker.places(in: context)
        var requests: [WatchRequest] = []
        for folder in folders {
            requests.append(try WatchRequest(folder, watch, options, in: context))
        }
        try WatchRequest.check(requests, home: places.home, cache: places.cache)
        return try await WatchRun(requests, places, worker, style, endsWhenDone: watch.endsWhenDone)
            .perform(in: context)
    }
}
