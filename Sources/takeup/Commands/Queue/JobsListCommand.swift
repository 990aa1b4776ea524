import TakeupIngest
import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupWatch

/// Lists the jobs of the queue, a page at a time: its memory does not grow with the list.
struct JobsListCommand: Command {
    static let specification = CommandSpecification(
        name: "list",
        summary: "List jobs, the ones accepted last first",
        details: """
            --after goes on behind a job whose cursor an earlier list told: with --json each job \
            has one, and a list that --limit cut short ends with it.
            """,
        options: [
            OptionSpecification(
                name: "state", valueName: "STATE",
                allowedValues: JobState.allCases.map(\.rawValue), isRepeatable: true,
                help: "Only jobs in this state"),
            OptionSpecification(
                name: "since", valueName: "TIME",
                help: "Only jobs accepted since, such as 12h ago or 2026-05-04T03:02:01Z"),
            OptionSpecification(
                name: "source", valueName: "SOURCE", completion: .file,
                help: "Only jobs made from this file or address, or from what lies in it"),
            OptionSpecification(
                name: "preset", valueName: "NAME", help: "Only jobs with a preset of this name"),
            OptionSpecification(
                name: "id-prefix", valueName: "TEXT", help: "Only jobs whose ids begin so"),
            OptionSpecification(name: "limit", valueName: "N", help: "At most N jobs"),
            OptionSpecification(
                name: "after", valueName: "CURSOR", help: "Go on behind this place of the list"),
        ] + StateOptions.specifications + ServerOptions.specifications,
        examples: [
            .init(line: "takeup jobs list --limit 20", effect: "the last jobs, a line each"),
            .init(
                line: "takeup jobs list --state failed --since 24h",
                effect: "what was accepted since yesterday and failed"),
            .init(
                line: "takeup jobs list --state queued --state running --json",
                effect: "what is still to be done, for scripts"),
        ],
        make: { input throws(UsageError) in try JobsListCommand(input) })

    let style: OutputStyle
    private let state: StateOptions
    private let states: Set<JobState>
    private let since: Since?
    private let source: String?
    private let preset: String?
    private let idPrefix: String?
    private let limit: Int?
    private let after: JobCursor?

    private enum Since {
        case ago(Double)
        case at(Double)
    }

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        state = StateOptions(input)
        states = Set(input.values("state").compactMap(JobState.init(rawValue:)))
        since = try input.parsed("since", as: "an age such as 12h, or 2026-05-04T03:02:01Z") {
            text in
            if let time = PointInTime.seconds(parsing: text) { return .at(time) }
            return DurationText(parsing: text)?.seconds.map { .ago($0) }
        }
        source = input.value("source")
        preset = input.value("preset")
        idPrefix = input.value("id-prefix")
        limit = try input.parsed("limit", as: "a number above zero") { text in
            Int(text).flatMap { $0 > 0 ? $0 : nil }
        }
        after = try input.parsed("after", as: "a cursor that an earlier list has told") {
            JobCursor($0)
        }
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let queue = try state.openQueue(in: context, style)
        var listing = listing(in: context)
        var (printer, unreadable) = (JobListPrinter(context, style), 0)
        while listing.limit > 0 {
            let page = try queue.list(listing)
            printer.show(page.records)
            unreadable += page.unreadable
            listing.after = page.next
            guard page.next != nil, context.interrupts.signal == nil else { break }
            listing.limit = pageSize(printed: printer.count)
        }
        printer.end()
        if unreadable > 0 {
            Console(context, style).warning(
                unreadable == 1
                    ? "1 job is not shown: this version cannot read it"
                    : "\(unreadable) jobs are not shown: this version cannot read them")
        }
        if printer.count == 0, unreadable == 0, !style.isJSON {
            Console(context, style).note("no jobs")
        }
        if let next = listing.after, !style.isJSON, !style.isQuiet {
            Console(context, style).note("there may be more: --after \(next)")
        }
        try tellBacklog(in: context)
        return context.interrupts.signal.map { .stopped(by: $0) } ?? .success
    }

    private func listing(in context: CommandContext) -> JobListing {
        var listing = JobListing(after: after, limit: pageSize(printed: 0))
        listing.states = states.isEmpty ? nil : states
        listing.acceptedSince = since.map {
            switch $0 {
            case .ago(let seconds): context.wallClock() - seconds
            case .at(let time): time
            }
        }
        listing.source = source.map { text in
            // Only the server knows where its uploads are.
            state.server?.isSet == true && text.hasPrefix("upload:")
                ? SourceMatch(verbatim: text) : SourceMatch(text, from: context.absolute("."))
        }
        (listing.preset, listing.idPrefix) = (preset, idPrefix)
        return listing
    }

    /// Jobs of the next page; 0 once there are enough.
    private func pageSize(printed: Int) -> Int {
        min(JobListing.pageSize, (limit ?? .max) - printed)
    }

    /// Says what waits and is no job, to whoever asks for everything.
    private func tellBacklog(in context: CommandContext) throws(Failure) {
        let isWhole =
            states.isEmpty && since == nil && source == nil && preset == nil && idPrefix == nil
            && after == nil && limit == nil
        guard isWhole, !style.isQuiet, !style.isJSON, state.server?.isSet != true else { return }
        let places = try state.places(in: context)
        // A list of jobs fails for nothing else.
        let ledger = try? places.existingLedger(now: context.wallClock)
        guard let backlog = try? ledger?.backlog(), let words = backlog.words else { return }
        // Of hook events the daemon's log alone knows why.
        let way =
            backlog.actions.isEmpty ? "" : ": 'takeup watch --explain PATH' says why a source does"
        Console(context, style).note(words + way)
    }
}
