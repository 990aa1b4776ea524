import TakeupJobs
import TakeupWatch

/// Lists the jobs of the queue.
struct JobsListCommand: Command {
    static let specification = CommandSpecification(
        name: "list",
        summary: "List jobs in the order in which they were accepted",
        options: [
            OptionSpecification(
                name: "state", valueName: "STATE",
                allowedValues: JobState.allCases.map(\.rawValue), isRepeatable: true,
                help: "Only jobs in this state"),
            OptionSpecification(name: "limit", valueName: "N", help: "At most N jobs"),
        ] + StateOptions.specifications,
        examples: [
            .init(line: "takeup jobs list", effect: "a line a job"),
            .init(
                line: "takeup jobs list --state queued --state running --json",
                effect: "what is still to be done, for scripts"),
        ],
        make: { input throws(UsageError) in try JobsListCommand(input) })

    let style: OutputStyle
    private let state: StateOptions
    private let filter: JobFilter

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        state = StateOptions(input)
        let states = input.values("state").compactMap(JobState.init(rawValue:))
        var limit = Int.max
        if let text = input.value("limit") {
            guard let number = Int(text), number > 0 else {
                throw UsageError(
                    "--limit cannot be '\(text)'", hint: "write a number above zero",
                    path: input.path)
            }
            limit = number
        }
        filter = JobFilter(states: states.isEmpty ? nil : Set(states), limit: limit)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let places = try state.places(in: context)
        let queue = try context.openQueue(places)
        let jobs = try queue.jobs(filter)
        if style.isJSON {
            context.print(.list(jobs.map(\.json)))
            return .success
        }
        guard !jobs.isEmpty else {
            Talk(context, style).note("no jobs")
            tellBacklog(places, in: context)
            return .success
        }
        let palette = context.palette(style.color, isOutput: true)
        let now = context.wallClock()
        let rows = [["ID", "STATE", "SINCE", "PRESET", "SOURCE"]] + jobs.map { $0.row(now: now) }
        for (index, line) in TextTable.lines(rows).enumerated() {
            context.print(index == 0 ? palette.paint(line, .bold) : line)
        }
        tellBacklog(places, in: context)
        return .success
    }

    /// Says what waits and is no job, to whoever asks for everything.
    private func tellBacklog(_ places: StatePlaces, in context: CommandContext) {
        guard filter == JobFilter(), !style.isQuiet else { return }
        // A list of jobs fails for nothing else.
        let ledger = try? WatchLedger(madeAt: places.database, now: context.wallClock)
        guard let words = (try? ledger?.backlog())?.words else { return }
        Talk(context, style).note(words)
    }
}

extension JobRecord {
    fileprivate func row(now: Double) -> [String] {
        var state = self.state.rawValue
        if let progress, self.state == .running {
            state += " \(Decimals.fixed(progress.fraction * 100, places: 0)) %"
        }
        let since = finishedAt ?? startedAt ?? createdAt
        let more = spec.sources.count > 1 ? " and \(spec.sources.count - 1) more" : ""
        return [
            id.rawValue.escaped, state, Timestamp.relative(since, now: now),
            spec.preset.name.escaped, (spec.shownSources.first ?? "").escaped + more,
        ]
    }
}
