import TakeupFiles
import TakeupModel
import TakeupIntake
import TakeupJobs

/// Runs files, folders and lists as durable jobs, and ends when all of them have.
struct BatchCommand: Command {
    static let specification = CommandSpecification(
        name: "batch",
        summary: "Export files, folders and lists as durable jobs",
        details: """
            Each file is a job of its own; what is named twice is one job. Everything is checked \
            before anything starts, and every job is in the queue before the first one runs: \
            after a stop or a kill the same command does the rest. Ends with 3 when some jobs \
            failed.
            """,
        notes: """
            A .txt list and standard input have a path or an address a line, and comments that \
            begin with #; standard input may also be JSON or JSON Lines. A pattern in quotes may \
            have *, ?, [a-z], {a,b}, and ** for any folders in between. The first Ctrl-C lets \
            running jobs end and starts nothing new, the second gives them back to the queue.
            """,
        argument: ArgumentSpecification(
            name: "INPUT", count: 1...100_000, completion: .file,
            help: """
                Files, addresses, folders, patterns, lists (.json, .jsonl, .csv, .txt), or - for \
                standard input
                """),
        options: [
            OptionSpecification(
                name: "output", short: "o", valueName: "DIR", completion: .directory,
                help: "Folder or s3://BUCKET/PREFIX of the outputs, besides the cache; a folder's"
                    + " tree is mirrored"),
            OptionSpecification(
                name: "dry-run", help: "Say what each job would do and why; write nothing"),
            OptionSpecification(
                name: "null", help: "Standard input has paths as 'find -print0' writes them"),
        ] + JobOptions.specifications + WorkerOptions.specifications(drain: "1h")
            + ServerOptions.specifications,
        essentials: [
            "output", "dry-run", "null", "preset", "overwrite", "workers",
        ],
        examples: [
            .init(
                line: "takeup batch clips/ --output out/ --preset 1280x720",
                effect: "every clip below clips/, to the same place below out/"),
            .init(line: "takeup batch a.mov b.mkv -o out/", effect: "two files, a job each"),
            .init(line: "takeup batch list.csv --json", effect: "a line an event, for scripts"),
            .init(line: "takeup batch list.json --dry-run", effect: "what would be done"),
            .init(
                line: "find clips -type f -print0 | takeup batch - --null -o out/",
                effect: "what another program finds"),
        ],
        make: { input throws(UsageError) in try BatchCommand(input) })

    let style: OutputStyle
    private let inputs: [String]
    private let endsWithNull: Bool
    private let output: String?
    private let isDryRun: Bool
    private let jobs: JobOptions
    private let worker: WorkerOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        inputs = input.arguments
        endsWithNull = input.isOn("null")
        guard !endsWithNull || inputs.contains(Self.standardInput) else {
            throw UsageError(
                "--null goes with standard input",
                hint: "write - for it: find … -print0 | takeup batch - --null", path: input.path)
        }
        (output, isDryRun) = (input.value("output"), input.isOn("dry-run"))
        jobs = try JobOptions(input)
        worker = try WorkerOptions(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let list = try await read(in: context)
        PassedOver(list.skipped).tell(Console(context, style), isVerbose: style.isVerbose)
        let places = try worker.places(in: context)
        let client = try worker.state.server?.client(in: context, style)
        if isDryRun {
            guard client == nil else { throw Self.dryRunOfServer }
            _ = try worker.sandboxWarning(at: places)
            await context.engine.start(worker.requiresSandbox)
            return try await BatchPreview(list.jobs, places, worker, style)
                .perform(in: context)
        }
        return try await BatchRun(list.jobs, places, worker, style, client).perform(in: context)
    }

    private static let standardInput = "-"
    private static let dryRunOfServer = Failure(
        exitCode: .usage, code: "notForServers", stage: "request",
        message: "a dry run looks at the files of this machine, not at those of a server",
        hint: "leave out --dry-run, or --server and TAKEUP_SERVER")

    private func read(in context: CommandContext) async throws(Failure) -> BatchList {
        let folder = try output.map { (output) throws(Failure) in
            guard SourceText.isObject(output) else { return context.absolute(output) }
            let place = "\(try OutputPath.bucketPlace(output))"
            return Folder.endsInSlash(place) ? String(place.dropLast()) : place
        }
        let options = try jobs.batchOptions(outputFolder: folder, in: context)
        var places: [BatchInput] = []
        var isRead = false
        for input in inputs {
            guard input == Self.standardInput else {
                places.append(.place(input))
                continue
            }
            if isRead { continue }
            isRead = true
            places.append(.text(try await context.readInput(), endsWithNull: endsWithNull))
        }
        do throws(BatchListError) {
            return try BatchList(places, options: options, from: context.absolute("."))
        } catch {
            if case .invalid(let name, let faults, let more) = error {
                for fault in faults {
                    if style.isJSON { context.print(fault.json) }
                    context.diagnostics.write("\(name): \(fault)".escaped + "\n")
                }
                if more > 0 { context.diagnostics.write("and \(more) more\n") }
            }
            throw Failure(error)
        }
    }
}

extension BatchFault {
    /// One of the lines that come before the error of the whole list.
    fileprivate var json: JSONValue {
        [
            "type": "error",
            "error": [
                "code": "listFault", "stage": "request",
                "message": .text([field, reason].compactMap(\.self).joined(separator: ": ")),
                "hint": .text(hint ?? ""),
            ],
            "line": .whole(line), "column": .whole(column), "field": .text(optional: field),
        ]
    }
}

extension Failure {
    /// Says why no jobs came of a list; total over its cases.
    init(_ error: BatchListError) {
        switch error {
        case .missing(let path):
            self = Self.list(
                .inputMissing, "inputMissing", "there is no \(path)", hint: "check its name")
        case .notPermitted(let path):
            self = Self.list(
                .notPermitted, "inputNotPermitted", "may not read \(path)",
                hint: "check its permissions")
        case .unreadable(let path, let reason):
            self = Self.list(
                .inputOutput, "inputUnreadable", "cannot read \(path): \(reason)",
                hint: "check the disk")
        case .nothingMatches(let pattern, let skipped):
            let reasons = skipped.prefix(5).map { "; \($0.path): \($0.reason)" }.joined()
            self = Self.list(
                .inputMissing, "inputMissing", "nothing matches '\(pattern)'\(reasons)",
                hint: reasons.isEmpty
                    ? "check the pattern and the folder"
                    : "check the permissions and names of what was passed over")
        case .unfit(let text, let reason, let hint):
            self = Self.list(.usage, "inputUnfit", "'\(text)': \(reason)", hint: hint)
        case .invalid(let path, let faults, let more):
            let count = faults.count + more
            let first = faults.first.map { count == 1 ? ": \($0)" : ", the first: \($0)" } ?? ""
            self = Self.list(
                .usage, "listInvalid",
                "\(path) has \(count == 1 ? "a fault" : "\(count) faults")\(first)",
                hint: "nothing was started; correct the file and run it again")
        }
    }

    private static func list(
        _ exitCode: ExitCode, _ code: String, _ message: String, hint: String
    ) -> Failure {
        Failure(exitCode: exitCode, code: code, stage: "request", message: message, hint: hint)
    }
}
