import Foundation
import TakeupClient
import TakeupFiles
import TakeupIntake
import TakeupJobs
import TakeupModel

/// Queues one job, and follows it to its end when asked to.
struct SubmitCommand: Command {
    static let specification = CommandSpecification(
        name: "submit",
        summary: "Queue a job and print its id",
        details: """
            Several INPUTs are joined in order. Once the id is printed the job survives whatever \
            happens to this machine; a worker runs it. A job that waits or runs already is not \
            queued twice. Without an output the result is kept in the cache alone.
            """,
        argument: ArgumentSpecification(
            name: "INPUT", count: 1...10_000, completion: .file, help: "Media files"),
        options: [
            OptionSpecification(
                name: "id", valueName: "ID",
                help: "What the job is called; default: a key of INPUT, range and preset"),
            OptionSpecification(
                name: "output", short: "o", valueName: "FILE", completion: .file,
                help: "File or s3://BUCKET/KEY to write besides the cache, or a folder"),
            OptionSpecification(
                name: "upload", help: "With --server: send the files, whose paths are not its own"),
            OptionSpecification(name: "wait", help: "Follow the job to its end"),
            OptionSpecification(
                name: "timeout", valueName: "TIME",
                help: "With --wait: wait so long at most, such as 10m, and end with 75"),
        ] + ExportOptions.template + JobOptions.specifications + StateOptions.specifications
            + ServerOptions.specifications,
        essentials: [
            "id", "output", "upload", "wait", "timeout", "preset", "start", "duration", "priority",
            "retries",
        ],
        examples: [
            .init(
                line: "takeup submit clip.mov --preset 1280x720 --id story-42",
                effect: "a worker exports it into the cache"),
            .init(
                line: "takeup submit a.mov b.mov -o both.mp4 --wait",
                effect: "two files joined; ends when the file is there"),
        ],
        make: { input throws(UsageError) in try SubmitCommand(input) })

    let style: OutputStyle
    private let options: JobOptions
    private let state: StateOptions
    private let inputs: [String]
    private let id: String?
    private let output: String?
    private let template: String?
    private let music: String?
    private let waits: Bool
    private let uploads: Bool
    private let timeoutSeconds: Double?

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try JobOptions(input)
        state = StateOptions(input)
        inputs = input.arguments
        (id, output, waits) = (input.value("id"), input.value("output"), input.isOn("wait"))
        (template, music) = (input.value("template"), input.value("music"))
        timeoutSeconds = try input.parsed("timeout", as: "a time such as 10m or 90s") {
            DurationText(parsing: $0)?.seconds
        }
        uploads = input.isOn("upload")
        guard !uploads || state.server?.isSet == true else {
            throw UsageError("--upload needs --server", path: input.path)
        }
        guard waits || timeoutSeconds == nil else {
            throw UsageError("--timeout needs --wait", path: input.path)
        }
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        var wanted = try spec(in: context)
        let client = try state.server?.client(in: context, style)
        let queue: QueueAccess
        if let client {
            if uploads { try send(&wanted, to: client, in: context) }
            queue = QueueAccess(client)
        } else {
            queue = try context.openQueue(try state.places(in: context))
        }
        let placed = try queue.place([wanted]).first
        let (spec, acceptance) = (placed?.spec ?? wanted, placed?.answer ?? .accepted)
        if let fault = placed?.fault { throw fault }
        if style.isJSON {
            context.print([
                "type": "submitted", "job": .text(spec.id.rawValue),
                "acceptance": .text(acceptance.word),
            ])
        } else {
            context.print(spec.id.rawValue.escaped)
        }
        if case .duplicate(let state) = acceptance {
            let rest = Self.difference(spec, queue)
            Console(context, style).note(
                "the same job is there already: \(state.rawValue)\(rest)")
        } else if client == nil {
            warn(of: spec, in: context)
        }
        guard waits else { return .success }
        let wait = JobWait(
            spec, queue, style, server: client?.server.text, timeoutSeconds: timeoutSeconds)
        return try await wait.perform(in: context)
    }

    /// Which queue and tags a job has that is there already, where other ones were asked for.
    private static func difference(_ wanted: JobSpec, _ queue: QueueAccess) -> String {
        guard let known = (try? queue.job(wanted.id))?.spec else { return "" }
        func facts(_ spec: JobSpec) -> (queue: String, tags: Set<String>) {
            (spec.queue ?? ClaimScope.defaultQueue, Set(spec.tags))
        }
        guard facts(known) != facts(wanted) else { return "" }
        let tags = known.tags.sorted().joined(separator: ",")
        return ", in queue '\(facts(known).queue)' and "
            + (tags.isEmpty ? "without tags" : "with the tags \(tags)")
            + "; it keeps them: cancel it first to have others"
    }

    /// Sends the job's files, and has it name what the server calls them.
    private func send(
        _ spec: inout JobSpec, to client: ServerClient, in context: CommandContext
    ) throws(Failure) {
        var names: [String: String] = [:]
        context.interrupts.setStop { _ in context.hurry() }
        defer { context.interrupts.setStop(nil) }
        for source in spec.request.sources
        where !SourceText.isAddress(source) && names[source] == nil {
            let talk = Console(context, style)
            talk.note("sending \(source)")
            let name = try client.upload(
                source,
                resumed: { bytes in
                    talk.note("the server has \(ByteSize(bytes: Int64(bytes))) of it already")
                },
                isCancelled: { context.interrupts.signal != nil })
            guard let name else {
                throw Failure(
                    code: "cancelled", stage: "request", message: "the upload was stopped",
                    hint: "the server keeps what it has got for a day;"
                        + " the same command goes on with it, unless the file changes",
                    ending: Failure.Ending(.stopped(by: context.interrupts.signal), .cancelled))
            }
            names[source] = name
        }
        let isNamed = !spec.hasAutomaticID
        spec.request.composition = spec.request.composition.renamingSources { names[$0] ?? $0 }
        if !isNamed { spec.id = spec.automaticID }
    }

    /// Tells of files that are not there now; they may come before a worker does.
    private func warn(of spec: JobSpec, in context: CommandContext) {
        for source in spec.request.sources where !SourceText.isAddress(source) {
            guard OutputPath.size(source) == nil else { continue }
            let words = String(cString: strerror(errno))
            let message =
                "\(source) cannot be found now (\(words)); the job is queued,"
                + " and fails if the file is not there when a worker starts it"
            if style.isJSON {
                context.print([
                    "type": "warning", "job": .text(spec.id.rawValue), "code": "sourceMissing",
                    "message": .text(message),
                ])
            }
            Console(context, style).warning(message)
        }
    }

    private func spec(in context: CommandContext) throws(Failure) -> JobSpec {
        for input in inputs where OutputPath.isDirectory(context.resolve(input)) {
            throw Failure(
                UsageError(
                    "\(input) is a folder, not a media file",
                    hint: "'takeup batch \(input)' exports the files in it", path: ["submit"]))
        }
        let options = try options.batchOptions(in: context)
        let talk = Console(context, style)
        for input in inputs where TimelineFile.isOne(input) {
            let omitted = (try? TimelineFile.read(context.absolute(input)))?.omitted ?? []
            for item in omitted { talk.warning("\(input): \(item.message)") }
        }
        var job = SingleJob(sources: inputs, folder: context.absolute("."))
        job.id = id
        job.output = output.map { path in
            Folder.endsInSlash(path) || !OutputPath.isDirectory(context.resolve(path))
                ? path : "\(path)/"
        }
        (job.template, job.music) = (template, music)
        if template != nil { job.preset = self.options.statedPreset }
        do throws(BatchFault) {
            return try job.spec(options)
        } catch {
            throw Failure(
                UsageError(
                    [error.field, error.reason].compactMap(\.self).joined(separator: ": "),
                    hint: error.hint, path: ["submit"]))
        }
    }
}

extension Acceptance {
    /// The word for scripts.
    var word: String {
        switch self {
        case .accepted: "accepted"
        case .duplicate: "duplicate"
        case .again: "again"
        case .conflict: "conflict"
        case .refused: "refused"
        }
    }
}
