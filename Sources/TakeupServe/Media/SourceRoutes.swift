internal import TakeupFetch
internal import TakeupHTTP
internal import TakeupModel

/// The fetched sources over HTTP: what is here of each, and what it cost its origin.
package struct SourceRoutes {
    private static let standardLimit = 100
    private static let mostLimit = 1000

    private let library: SourceLibrary
    private let keeper: LoaderKeeper?

    package init(_ tools: ServeTools) { self.init(tools.sources, tools.desk.loaders) }

    init(_ library: SourceLibrary, _ keeper: LoaderKeeper? = nil) {
        (self.library, self.keeper) = (library, keeper)
    }

    package var routes: [Route] {
        [
            Route("GET", "/v1/sources", .read) { list($0) },
            Route("GET", "/v1/sources/{key}", .read) { show($0) },
            Route("DELETE", "/v1/sources/{key}", .submit) { remove($0) },
        ]
    }

    private func list(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let query = try QueryReader(request, known: ["limit", "after"])
            let limit = try query.integer("limit", in: 1...Self.mostLimit) ?? Self.standardLimit
            let after = try query.parsed("after", as: "a key that an earlier page has told") {
                SourceKey($0)
            }
            let activity = library.activity
            let page = try Refusal.fetching { () throws(FetchError) in
                let stored = try library.store.keys(after: after, limit: limit + 1)
                let seen = activity.keys.filter { key in
                    after.map { $0.description < key.description } ?? true
                }
                let keys = Set(stored).union(seen).sorted { $0.description < $1.description }
                var sources: [SourceReport] = []
                for key in keys.prefix(limit) {
                    guard let source = try SourceReport(key, library.store, activity[key]) else {
                        continue
                    }
                    sources.append(source)
                }
                return (sources, next: keys.count > limit ? keys[limit - 1] : nil)
            }
            return .json([
                "sources": .list(page.0.map(\.json)),
                "next": .text(optional: page.next?.description),
            ])
        }
    }

    private func show(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            _ = try QueryReader(request, known: [])
            let key = try key(request)
            let source = try Refusal.fetching { () throws(FetchError) in
                try SourceReport(key, library.store, library.activity[key])
            }
            guard let source else { throw Self.unknown(key.description) }
            return .json(source.json)
        }
    }

    private func remove(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let key = try key(request)
            // A loader that only waits for the next request is no reader.
            if library.activity[key]?.readers == 0 { keeper?.release(key) }
            let activity = library.activity[key]
            let outcome = try Refusal.fetching { () throws(FetchError) -> SourceStore.Removal in
                let summary = try library.store.summary(key)
                // A removal that is put off would surprise the next reader.
                if activity?.status != nil || summary?.isInUse == true { return .deferred }
                return try library.store.remove(key)
            }
            switch outcome {
            case .missing where activity == nil: throw Self.unknown(key.description)
            case .removed, .missing:
                library.forgetActivity(of: key)
                return HTTPResponse(204, [("Cache-Control", "no-store")])
            case .pinned:
                throw Refusal(
                    409,
                    .request(
                        "pinned", "the source is pinned", hint: "unpin it first", .outputNotCreated)
                )
            case .deferred:
                throw Refusal(
                    409,
                    .request(
                        "inUse", "somebody reads the source now, or has just read it",
                        hint: "try again in a minute", Failure.Ending(.temporary, .retry)))
            }
        }
    }

    private func key(_ request: RoutedRequest) throws(Refusal) -> SourceKey {
        let text = request.parameter("key")
        guard let key = SourceKey(text) else { throw Self.unknown(text) }
        return key
    }

    private static func unknown(_ key: String) -> Refusal {
        .notFound(
            "source with the key '\(key.prefix(200))'", hint: "the list of sources has the keys")
    }
}

/// A source as the API tells it.
struct SourceReport {
    private let key: SourceKey
    private let stored: SourceSummary?
    private let activity: SourceActivity?

    /// - Returns: nil for a source that is neither stored nor known.
    init?(
        _ key: SourceKey, _ store: SourceStore, _ activity: SourceActivity?
    ) throws(FetchError) {
        stored = try store.summary(key)
        guard stored != nil || activity != nil else { return nil }
        (self.key, self.activity) = (key, activity)
    }

    private var presentBytes: Int64 {
        activity?.status?.presentBytes ?? stored?.presentBytes ?? 0
    }

    private var state: String {
        switch activity?.status?.phase {
        case .fetching, .retrying, .following, .failed, .complete:
            return activity?.status?.phase.rawValue ?? ""
        case .idle, .closed, nil: break
        }
        if stored?.isComplete == true { return "complete" }
        return activity?.lastError == nil ? "partial" : "failed"
    }

    var json: JSONValue {
        let address = stored?.entry.address ?? ""
        let times = [stored?.entry.lastUsedAt, activity?.endedAt].compactMap(\.self)
        return [
            "key": .text(key.description),
            "url": .text(address.isEmpty ? activity?.address ?? "" : address),
            "state": .text(state), "bytesPresent": .integer(presentBytes),
            "bytesTotal": (activity?.status?.totalBytes ?? stored?.version?.length).map {
                .integer($0)
            } ?? .null,
            "lastError": .text(optional: activity?.lastError),
            "originRequests": .whole(activity?.originRequests ?? 0),
            "originBytes": .integer(activity?.originBytes ?? 0),
            "bytesSaved": .integer(activity?.savedBytes ?? 0),
            "readers": .whole(activity?.readers ?? 0),
            "updatedAt": .text(optional: times.max().flatMap { Timestamp.iso($0) }),
        ]
    }
}
