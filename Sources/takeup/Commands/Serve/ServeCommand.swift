import TakeupModel

/// The server: the API, the media and the dashboard over HTTP, with workers in the same process.
struct ServeCommand: Command {
    static let specification = CommandSpecification(
        name: "serve",
        summary: "Serve the API, media and the dashboard over HTTP, until stopped",
        details: """
            Workers run in the same process, on the queue of the command line. A browser opens the \
            address for the dashboard; /openapi.json describes the API. Addresses other than \
            loopback need --token-file. The first SIGTERM or SIGINT lets responses and running jobs \
            end, for --drain at most; the second ends them.
            """,
        notes: """
            A token file has a line for each caller: a scope (read, submit or admin), a token, and \
            a name. Paths in jobs must lie below a folder of --allow-path. A socket that the \
            service manager hands over takes the place of --listen.
            """,
        options: ServeOptions.specifications + WorkerOptions.specifications(drain: "60s")
            + DaemonOptions.specifications,
        essentials: [
            "listen", "token-file", "allow-path", "allow-host", "public-url", "upload-limit",
            "no-workers", "workers", "drain",
        ],
        examples: [
            .init(line: "takeup serve", effect: "this machine alone, at http://127.0.0.1:8080"),
            .init(
                line: "takeup serve --listen 0.0.0.0:8080 --token-file tokens --allow-path /media",
                effect: "others too, with a token; jobs may name files below /media"),
        ],
        make: { input throws(UsageError) in try ServeCommand(input) })

    let style: OutputStyle
    private let options: ServeOptions
    private let worker: WorkerOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try ServeOptions(input)
        worker = try WorkerOptions(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        try await ServeRun(options, worker, style).perform(in: context)
    }
}
