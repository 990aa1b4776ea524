import TakeupExport
import TakeupIntake
import TakeupJobs

/// Runs a list or a folder as durable jobs, and ends when all of them have.
struct BatchCommand: Command {
    static let specification = CommandSpecification(
        name: "batch",
        summary: "Export a list or a folder as durable jobs",
        details: """
            The list is checked whole before anything starts. Every job is in the queue before the \
            first one runs, so that whatever is killed meanwhile, the same command does what is \
            missing. The first Ctrl-C lets running jobs end and starts nothing new, the second \
            gives them back to the queue. Ends with 3 when some jobs failed.
            """,
        argument: ArgumentSpecification(
            name: "LIST", count: 1...1, completion: .file,
            help: "A .json, .jsonl or .csv list, or a folder"),
        options: [
            OptionSpecification(
                name: "output", short: "o", valueName: "DIR", completion: .directory,
                help: "Folder of the outputs, besides the cache; a folder's tree is mirrored"),
            OptionSpecification(
                name: "dry-run", help: "Say what each job would do and why; write nothing"),
        ] + JobOptions.specifications + WorkerOptions.specifications(drain: "1h"),
        examples: [
            .init(
                line: "takeup batch clips/ --output out/ --preset 1280x720",
                effect: "every clip below clips/, to the same place below out/"),
            .init(line: "takeup batch list.csv --json", effect: "a line an event, for scripts"),
            .init(line: "takeup batch list.json --dry-run", effect: "what would be done"),
        ],
        make: { input throws(UsageError) in try BatchCommand(input) })

    let style: OutputStyle
    private let list: String
    private let output: String?
    private let isDryRun: Bool
    private let jobs: JobOptions
    private let worker: WorkerOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        list = input.arguments[0]
        (output, isDryRun) = (input.value("output"), input.isOn("dry-run"))
        jobs = try JobOptions(input)
        worker = try WorkerOptions(input)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let list = try read(in: context)
        PassedOver(list.skipped).tell(Talk(context, style), isVerbose: style.isVerbose)
        let places = try worker.places(in: context)
        if isDryRun {
            // Sources are looked into here.
            guard !worker.requiresSandbox else {
                throw Failure(SandboxDemand.unsealed("batch --dry-run"))
            }
            return try await BatchPreview(list.jobs, places, worker, style)
                .perform(in: context)
        }
        return try await BatchRun(list.jobs, places, worker, style).perform(in: context)
    }

    private func read(in context: CommandContext) throws(Failure) -> BatchList {
        let options = try jobs.batchOptions(
            outputFolder: output.map(context.absolute), in: context)
        do throws(BatchListError) {
            return try BatchList(path: context.absolute(list), options: options)
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
        case .unknownFormat(let path):
            self = Self.list(
                .usage, "listUnknown", "\(path) is neither a folder nor a list",
                hint: "let its name end in .json, .jsonl or .csv; one clip is for 'takeup export'")
        case .invalid(let path, let faults, let more):
            let count = faults.count + more
            let first = faults.first.map { ", the first: \($0)" } ?? ""
            self = Self.list(
                .usage, "listInvalid",
                "\(path) has \(count == 1 ? "1 fault" : "\(count) faults")\(first)",
                hint: "nothing was started; put the list right and run it again")
        }
    }

    private static func list(
        _ exitCode: ExitCode, _ code: String, _ message: String, hint: String
    ) -> Failure {
        Failure(exitCode: exitCode, code: code, stage: "request", message: message, hint: hint)
    }
}
