internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupModel
internal import TakeupService
internal import TakeupTelemetry

/// The cache over HTTP.
package struct CacheRoutes {
    private let desk: ServeDesk
    private let queue: QueueAccess
    private let intake: JobIntake
    private let uploads: UploadPaths
    private let log: Log

    package init(_ tools: ServeTools) {
        (desk, queue, log) = (tools.desk, tools.queue, tools.log)
        intake = JobIntake(tools)
        uploads = tools.desk.uploads.paths
    }

    package var routes: [Route] {
        [
            Route("GET", "/v1/cache", .read) { request in
                request.answer { () throws(Refusal) in
                    let query = try CacheListQuery(request)
                    return try Refusal.attempt { () throws(Failure) in
                        query.response(try desk.cache.entries(), uploads)
                    }
                }
            },
            Route("GET", "/v1/cache/stats", .read) { request in
                request.answer { () throws(Refusal) in
                    _ = try QueryReader(request, known: [])
                    return try Refusal.attempt { () throws(Failure) in
                        .json(try desk.cache.figures().json)
                    }
                }
            },
            Route("POST", "/v1/cache/clean", .admin) { clean($0) },
            Route("POST", "/v1/cache/lookup", .read) { lookup($0) },
            Route("GET", "/v1/cache/{id}", .read) { show($0) },
            Route("DELETE", "/v1/cache/{id}", .admin) { remove($0) },
            Route("POST", "/v1/cache/{id}/pin", .submit) { pin($0, true) },
            Route("POST", "/v1/cache/{id}/unpin", .submit) { pin($0, false) },
        ]
    }

    private func entry(_ request: RoutedRequest, counts: Bool) throws(Refusal) -> CacheEntry {
        let id = request.parameter("id")
        let found = try Refusal.attempt { () throws(Failure) in
            guard counts else { return try desk.cache.find(id) }
            let known = try desk.cache.find(id)
            let used = try desk.cache.use(id)
            if used == nil, let known, try desk.cache.find(id) == nil {
                log.recordDamage(of: id, sha256: known.sha256)
            }
            return used
        }
        guard let found else { throw unknown(id) }
        return found
    }

    /// Says of a job's id why there is no result.
    private func unknown(_ id: String) -> Refusal {
        let what = "entry '\(id.prefix(200))' in the cache"
        guard let job = try? queue.job(JobID(rawValue: id)) else {
            return .notFound(what, hint: "it was never here, has expired, or was removed")
        }
        return .notFound(
            "\(what): it is of a job \(job.noResult.reason)", hint: job.noResult.hint)
    }

    private func show(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let query = try QueryReader(request, known: ["lookup"])
            let found = try entry(request, counts: try query.flag("lookup") ?? false)
            return .json(uploads.shown(found.json))
        }
    }

    private func remove(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let id = request.parameter("id")
            let outcome = try Refusal.attempt { () throws(Failure) in
                try desk.cache.remove(id)
            }
            switch outcome {
            case .removed: return HTTPResponse(204, [("Cache-Control", "no-store")])
            case .unknown: throw unknown(id)
            case .pinned:
                throw Refusal(
                    409,
                    .request(
                        "pinned", "the entry is pinned", hint: "unpin it first",
                        .outputNotCreated))
            case .inUse:
                throw Refusal(
                    409,
                    .request(
                        "inUse", "somebody reads the entry now", hint: "try again",
                        Failure.Ending(.temporary, .retry)))
            }
        }
    }

    private func pin(_ request: RoutedRequest, _ isPinned: Bool) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let id = request.parameter("id")
            let isThere = try Refusal.attempt { () throws(Failure) in
                try desk.cache.setPinned(id, isPinned)
            }
            guard isThere else { throw unknown(id) }
            return .json(uploads.shown(try entry(request, counts: false).json))
        }
    }

    private func clean(_ request: RoutedRequest) -> RequestPlan {
        request.collect(upTo: 10_000) { bytes throws(Refusal) in
            let isDryRun = try Refusal.reading { () throws(BatchFault) in
                try JSONFields(parsing: bytes, known: ["dryRun"]).flag("dryRun") ?? false
            }
            let evictions = try Refusal.attempt { () throws(Failure) in
                try desk.cache.clean(isDryRun)
            }
            return .json(["evictions": .list(evictions.map(\.json))])
        }
    }

    /// Finds what would answer a job, before anything is fetched.
    private func lookup(_ request: RoutedRequest) -> RequestPlan {
        request.collect(upTo: PlanRoutes.mostBytes) { bytes throws(Refusal) in
            let spec = try intake.job(bytes)
            let found = try Refusal.attempt { () throws(Failure) in
                try desk.cache.answer(spec)
            }
            guard let found else {
                throw Refusal(
                    404,
                    .request(
                        "notCached", "the cache holds no result of this job",
                        hint: "submit it", .inputMissing))
            }
            return .json(uploads.shown(found.json))
        }
    }
}
