import TakeupCache
import TakeupIntake
import TakeupJobs
import TakeupLanes
import TakeupModel
import TakeupService

/// Copies the results to another store of objects.
struct CacheCopyCommand: Command {
    static let specification = CommandSpecification(
        name: "copy",
        summary: "Copy the results to another folder or bucket",
        details: """
            Copies the results that the database names, hashes each before it is sent, and checks \
            what arrived. What TO holds already is not sent again, so the command may be repeated \
            while workers run. Removes nothing and changes nothing in the database: to move, stop \
            the workers, copy once more, and start them with --objects TO, the first time with \
            --adopt; FROM is refused from then on. Ends with 78 where TO belongs to another \
            database or holds other things, and with 76 where FROM lacks results or holds damaged \
            ones; the others are copied then. Fetched sources are not copied.
            """,
        argument: ArgumentSpecification(
            name: "FROM TO", count: 2...2, completion: .directory,
            help: "Folders, or s3://BUCKET/PREFIX; FROM is where the results are now"),
        options: StateOptions.specifications + ServerOptions.specifications,
        examples: [
            .init(
                line: "takeup cache copy ~/.cache/takeup s3://films/takeup",
                effect: "from this machine to a bucket"),
            .init(
                line: "takeup cache list --objects s3://films/takeup --adopt",
                effect: "the database knows the bucket from now on"),
        ],
        make: { input throws(UsageError) in CacheCopyCommand(input) })

    let style: OutputStyle
    private let state: StateOptions
    private let addresses: [String]

    init(_ input: CommandInput) {
        (style, state, addresses) = (OutputStyle(input), StateOptions(input), input.arguments)
    }

    private static let notForServers = Failure(
        exitCode: .usage, code: "notForServers", stage: "request",
        message: "a server does not copy its cache on request",
        hint: "run it on the server's machine, without --server and TAKEUP_SERVER")

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        guard state.server?.isSet != true else { throw Self.notForServers }
        let places = try state.places(in: context)
        let ends = try addresses.map { (text) throws(Failure) in
            guard let address = ObjectsAddress(text, absolute: context.absolute) else {
                throw Failure(
                    exitCode: .usage, code: "usage", stage: "request",
                    message: "results cannot be in '\(ObjectsAddress.shown(text))'",
                    hint: "write a folder's path, or s3://BUCKET/PREFIX with plain parts")
            }
            return address
        }
        let tally = try await copy(CacheCopy(places, from: ends[0], to: ends[1]), in: context)
        tell(tally, in: context)
        guard !tally.isStopped else {
            throw Failure(
                code: "cancelled", stage: "request", message: "the copy was stopped",
                hint: "the same command copies the rest",
                ending: Failure.Ending(.stopped(by: context.interrupts.signal), .cancelled))
        }
        return tally.isWhole ? .success : .verificationFailed
    }

    private func copy(
        _ copy: CacheCopy, in context: CommandContext
    ) async throws(Failure) -> ObjectCopy.Tally {
        let (interrupts, printer) = (context.interrupts, ProgressPrinter(context))
        interrupts.setStop { _ in context.hurry() }
        defer {
            printer.close()
            interrupts.setStop(nil)
        }
        let shows = !style.isQuiet && !style.isJSON
        do {
            return try await Lane("takeup.copy").run {
                try copy.perform(isStopped: { interrupts.signal != nil }) { tally in
                    let done = tally.copied + tally.present
                    let share = Double(done) / Double(max(1, tally.objects))
                    if shows { printer.show(JobProgress(phase: "copy", fraction: share)) }
                }
            }
        } catch {
            throw (error as? Failure) ?? .unexpected(error)
        }
    }

    private func tell(_ tally: ObjectCopy.Tally, in context: CommandContext) {
        let problems =
            tally.missing.map { ($0.sha256, "the file is missing") }
            + tally.damaged.map { ($0.sha256, "the file has other content") }
        if style.isJSON {
            return context.print([
                "from": .text(addresses[0]), "to": .text(addresses[1]),
                "objects": .whole(tally.objects), "copied": .whole(tally.copied),
                "copiedBytes": .integer(tally.copiedBytes), "present": .whole(tally.present),
                "presentBytes": .integer(tally.presentBytes),
                "problems": .list(
                    problems.map { ["sha256": .text($0.0), "problem": .text($0.1)] }),
            ])
        }
        for (sha256, problem) in problems { context.print("\(sha256): \(problem)") }
        guard !style.isQuiet else { return }
        context.print(
            "\(tally.copied) copied (\(ByteSize(bytes: tally.copiedBytes))),"
                + " \(tally.present) there already (\(ByteSize(bytes: tally.presentBytes)))")
        guard tally.isWhole, !tally.isStopped else { return }
        Console(context, style).note(
            "to move: stop the workers, copy once more, and name the new place with --objects, the"
                + " first time with --adopt")
    }
}

extension ObjectCopy.Tally {
    fileprivate var isWhole: Bool { missing.isEmpty && damaged.isEmpty }
}
