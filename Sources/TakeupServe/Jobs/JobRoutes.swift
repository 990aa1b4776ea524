internal import TakeupFiles
internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupModel
internal import TakeupService
internal import TakeupWorker

/// The queue over HTTP.
package struct JobRoutes {
    private let tools: ServeTools
    private let intake: JobIntake
    private let keys: IdempotencyKeys
    private let counts: QueueCounts
    private let uploads: UploadPaths

    package init(_ tools: ServeTools) {
        self.tools = tools
        intake = JobIntake(tools)
        (keys, counts) = (tools.desk.keys, tools.desk.counts)
        uploads = tools.desk.uploads.paths
    }

    package var routes: [Route] {
        [
            Route("POST", "/v1/jobs", .submit) { submit($0) },
            Route("GET", "/v1/jobs", .read) { list($0) },
            Route("GET", "/v1/jobs/counts", .read) { request in
                request.answer { () throws(Refusal) in
                    _ = try QueryReader(request, known: [])
                    return .json(Self.json(try Refusal.attempt(counts.counts)))
                }
            },
            Route("POST", "/v1/jobs/lookup", .read) { request in
                request.collect(upTo: JobLookup.mostBytes) { bytes throws(Refusal) in
                    let lookup = try JobLookup(bytes)
                    return try Refusal.attempt { () throws(Failure) in
                        try lookup.response(tools.queue, uploads)
                    }
                }
            },
            Route("POST", "/v1/jobs/prune", .admin) { prune($0) },
            Route("GET", "/v1/jobs/{id}", .read) { show($0) },
            Route("DELETE", "/v1/jobs/{id}", .submit) { request in
                change(request, unless: \.state.isTerminal) { id throws(Failure) in
                    try tools.queue.cancel(id)
                }
            },
            Route("POST", "/v1/jobs/{id}/retry", .submit) { request in
                change(request, unless: \.isUnderWay) { id throws(Failure) in
                    try tools.queue.retry(id)
                }
            },
            Route("GET", "/v1/jobs/{id}/log", .read) { log($0) },
        ]
    }

    private func submit(_ request: RoutedRequest) -> RequestPlan {
        let key: IdempotencyKeys.Name?
        do throws(Refusal) {
            key = try IdempotencyKeys.name(of: request)
        } catch {
            return .answer(error.response(to: request.http))
        }
        return request.collect(upTo: JobIntake.mostBytes) { bytes throws(Refusal) in
            guard let key else { return try intake.submit(bytes) }
            return try keys.once(key, bytes) { () throws(Refusal) in try intake.submit(bytes) }
        }
    }

    private func list(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let query = try JobListQuery(request, uploads, now: tools.wallClock())
            return try Refusal.attempt { () throws(Failure) in try query.response(tools.queue) }
        }
    }

    /// The states that no job is in, too.
    static func json(_ counts: [JobState: Int]) -> JSONValue {
        .object(
            JobState.allCases.map { .init(key: $0.rawValue, value: .whole(counts[$0] ?? 0)) })
    }

    private func record(_ request: RoutedRequest) throws(Refusal) -> JobRecord {
        let id = JobID(rawValue: request.parameter("id"))
        let found = try Refusal.attempt { () throws(Failure) in try tools.queue.job(id) }
        guard let found else {
            throw Refusal.notFound(
                "job '\(id.rawValue.prefix(200))'",
                hint: "it was never accepted here, or has been pruned")
        }
        return found
    }

    private func show(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let record = try record(request)
            let workers = try Refusal.attempt { () throws(Failure) in
                record.state == .queued ? try tools.queue.liveWorkers() : nil
            }
            let text = "\(uploads.shown(record.detailedJSON(among: workers)))\n"
            return ContentTag.response(text, to: request.http)
        }
    }

    /// Asks for something, and tells what the job is then: 202 where that began something.
    private func change(
        _ request: RoutedRequest, unless isDone: (JobRecord) -> Bool,
        _ ask: (JobID) throws(Failure) -> Void
    ) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let before = try record(request)
            let begins = !isDone(before)
            if begins { try Refusal.attempt { () throws(Failure) in try ask(before.id) } }
            let after = begins ? try record(request) : before
            return .json(uploads.shown(after.json), status: begins ? 202 : 200)
        }
    }

    private func prune(_ request: RoutedRequest) -> RequestPlan {
        request.collect(upTo: 10_000) { bytes throws(Refusal) in
            let seconds = try Refusal.reading { () throws(BatchFault) in
                let fields = try JSONFields(parsing: bytes, known: ["olderThan"])
                return try fields.age("olderThan")
            }
            let count = try Refusal.attempt { () throws(Failure) in
                try tools.queue.prune(seconds ?? Self.pruneSeconds)
            }
            return .json(["pruned": .whole(count)])
        }
    }

    /// Jobs that ended later stay, where the request does not say otherwise.
    private static let pruneSeconds = 7.0 * 86_400

    private func log(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let job = try record(request).id
            let path = WorkerConfiguration.logPath(of: job, stateFolder: tools.places.home)
            let text = try LogText.read(path)
            return HTTPResponse(
                200,
                [
                    ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
                    ("X-Content-Type-Options", "nosniff"),
                ], body: .bytes(text))
        }
    }
}

extension JSONFields {
    /// Seconds: a number, or a text such as `7d`; nil where the member is not there.
    fileprivate func age(_ name: String) throws(BatchFault) -> Double? {
        let wrong = BatchFault(
            line: nil, field: name, reason: "needs a time such as \"7d\", or seconds from 0")
        if let seconds = try? number(name) {
            guard (0...DurationText.longest).contains(seconds) else { throw wrong }
            return seconds
        }
        guard let text = try text(name) else { return nil }
        if text == "0" { return 0 }
        guard let seconds = DurationText(parsing: text)?.seconds else { throw wrong }
        return seconds
    }
}
