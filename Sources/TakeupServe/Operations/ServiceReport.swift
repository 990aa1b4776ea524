internal import TakeupDaemon
internal import TakeupFiles
internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupModel
internal import TakeupService
internal import TakeupWorker

/// How the service fares: this process, and everybody who works on its queue.
struct ServiceReport {
    private let tools: ServeTools

    init(_ tools: ServeTools) { self.tools = tools }

    // MARK: - Workers

    private struct Working {
        var jobs: [JobRecord] = []
    }

    /// Those that have jobs now, the one of this process, and the register of all.
    func workers() throws(Failure) -> JSONValue {
        let running = try tools.queue.jobs(JobFilter(states: [.running], limit: 1000))
        var working: [WorkerID: Working] = [:]
        for record in running {
            if let owner = record.owner { working[owner, default: Working()].jobs.append(record) }
        }
        let listed = working.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { json($0.key, $0.value) }
        let (known, time) = try tools.queue.workers?() ?? ([], tools.wallClock())
        return [
            "workers": .list(listed), "here": here, "time": .timestamp(time),
            "registered": .list(known.map { $0.json(at: time) }),
        ]
    }

    private func json(_ id: WorkerID, _ working: Working) -> JSONValue {
        // A lease is renewed twice a second and more; it ends with a worker that does not.
        let until = working.jobs.compactMap(\.leaseUntil).max()
        let speeds = working.jobs.compactMap(\.progress?.speed).filter(\.isFinite)
        return [
            "id": .text(id.rawValue),
            "jobs": .list(working.jobs.map { .text($0.id.rawValue) }),
            "running": .whole(working.jobs.count), "speed": .measured(speeds.reduce(0, +)),
            "leaseUntil": .timestamp(until),
            "alive": .flag(until.map { $0 > tools.wallClock() } ?? false),
        ]
    }

    /// The worker of this process; null where others work.
    private var here: JSONValue {
        guard let figures = tools.worker?.figures() else { return .null }
        let speed = figures.workSeconds > 0 ? figures.mediaSeconds / figures.workSeconds : nil
        return [
            "running": .whole(figures.running), "lanes": .whole(tools.settings.lanes),
            "claimed": .whole(figures.claims),
            "ended": .object(
                JobState.allCases.filter(\.isTerminal).map {
                    .init(key: $0.rawValue, value: .whole(figures.ended[$0] ?? 0))
                }),
            "mediaSeconds": .measured(figures.mediaSeconds),
            "workSeconds": .measured(figures.workSeconds), "speed": .measured(speed),
            "outputBytes": .integer(figures.outputBytes),
        ]
    }

    // MARK: - All

    func status(_ request: RoutedRequest) throws(Refusal) -> HTTPResponse {
        let query = try QueryReader(request, known: ["since"])
        let since =
            try query.parsed("since", as: "a time such as 2026-05-04T03:02:01Z") {
                PointInTime.seconds(parsing: $0)
            } ?? 0
        return try Refusal.attempt { () throws(Failure) in .json(try status(since: since)) }
    }

    private func status(since: Double) throws(Failure) -> JSONValue {
        let now = tools.wallClock()
        let desk = tools.desk
        let depth = try tools.queue.depth()
        let cache = try desk.cache.figures()
        let samples = desk.history.samples(since: since)
        let asked = cache.hits + cache.misses
        let free = (try? FreeSpace.bytes(at: tools.places.home)).map(JSONValue.integer) ?? .null
        return [
            "version": .text(ProgramVersion.current), "time": .timestamp(now),
            "startedAt": .timestamp(desk.startedAt),
            "uptime": .measured(max(0, now - desk.startedAt)),
            "counts": JobRoutes.json(try desk.counts.counts()),
            "queue": [
                "queued": .whole(depth.queued), "scheduled": .whole(depth.scheduled),
                "running": .whole(depth.running), "oldestSeconds": .measured(depth.oldestSeconds),
            ],
            "cache": cache.json,
            "hitRate": asked > 0 ? .measured(Double(cache.hits) / Double(asked)) : .null,
            "bytesSaved": .integer(cache.bytesSaved),
            "disk": ["cacheFreeBytes": .integer(cache.freeBytes), "homeFreeBytes": free],
            "speed": .measured(samples.last?.speed), "worker": here,
            "history": .list(samples.map(\.json)),
        ]
    }
}
