internal import TakeupModel

/// The description of the cache, of operations and of the dashboard.
enum ServiceOperations {
    private typealias Schema = APISchema

    private static let entry = Schema.reference("CacheEntry")

    static let all: [APIOperation] = cache + operations + sessions

    private static let cache: [APIOperation] = [
        APIOperation(
            "GET", "/v1/cache", "cache", .read,
            "List results and fetched sources, the newest first.",
            parameters: [
                .query("kind", "What it is.", Schema.words(["result", "source", "partialSource"])),
                .query("preset", "A preset's name."), .query("source", "A part of the source."),
                .query("pinned", "Whether it is pinned.", Schema.flag),
                .query(
                    "limit", "Entries of one page.", Schema.range(1...CacheListQuery.mostLimit)),
                .query("after", "The `next` of the page before."),
            ],
            answers: [
                .json(200, "A page; `next` is null at the end.", Schema.reference("CachePage"))
            ]),
        APIOperation(
            "GET", "/v1/cache/stats", "cache", .read, "Say what the cache holds and has saved.",
            answers: [.json(200, "The sums.", Schema.reference("CacheStats"))]),
        APIOperation(
            "POST", "/v1/cache/clean", "cache", .admin, "Remove what the limits do not permit.",
            bodies: [.json(Schema.request([("dryRun", Schema.flag)]))], needsBody: false,
            answers: [.json(200, "What went, or would go.", Schema.reference("Evictions"))]),
        APIOperation(
            "POST", "/v1/cache/lookup", "cache", .read,
            "Find what would answer a job, before anything is fetched.",
            bodies: [.json(Schema.reference("JobRequest"))],
            answers: [.json(200, "The entry.", entry)], problems: [404, 422]),
        APIOperation(
            "GET", "/v1/cache/{id}", "cache", .read, "Show an entry.",
            parameters: [.query("lookup", "Whether this counts as a use.", Schema.flag)],
            answers: [.json(200, "The entry.", entry)], problems: [404]),
        APIOperation(
            "DELETE", "/v1/cache/{id}", "cache", .admin, "Remove an entry with its file.",
            answers: [.plain(204, "It is gone.")], problems: [404, 409]),
        APIOperation(
            "POST", "/v1/cache/{id}/pin", "cache", .submit, "Keep an entry whatever expires.",
            answers: [.json(200, "The entry.", entry)], problems: [404, 415]),
        APIOperation(
            "POST", "/v1/cache/{id}/unpin", "cache", .submit, "Let a pinned entry expire again.",
            answers: [.json(200, "The entry.", entry)], problems: [404, 415]),
    ]

    private static let operations: [APIOperation] = [
        APIOperation(
            "GET", "/", "dashboard", .anyone, "The dashboard.",
            answers: [
                .plain(200, "A page.", .text("text/html")), .plain(304, "The client has it."),
            ]),
        APIOperation(
            "GET", "/livez", "operations", .anyone, "Say that the process answers.",
            answers: [.plain(200, "It does.", .text("text/plain"))]),
        APIOperation(
            "GET", "/readyz", "operations", .anyone, "Say whether the service can work.",
            answers: [
                .json(200, "It can.", Schema.reference("Readiness")),
                .plain(
                    503, "It cannot, and why.", .json(Schema.reference("Readiness")),
                    APIOperation.Content(
                        type: "application/problem+json", schema: Schema.reference("Problem"))),
            ]),
        APIOperation(
            "GET", "/metrics", "operations", .read, "Tell all numbers, as Prometheus reads them.",
            answers: [.plain(200, "The numbers.", .text("text/plain"))]),
        APIOperation(
            "GET", "/openapi.json", "operations", .anyone, "This description.",
            answers: [
                .json(200, "An OpenAPI document.", Schema.anything),
                .plain(304, "The client has it."),
            ]),
        APIOperation(
            "GET", "/v1/status", "operations", .read,
            "Tell how the service fares, with its history of six hours.",
            parameters: [.query("since", "Only samples from this time on.", Schema.time)],
            answers: [.json(200, "All of it.", Schema.reference("Status"))]),
        APIOperation(
            "GET", "/v1/workers", "operations", .read,
            "List the workers: those that have jobs, and all that have told of themselves.",
            answers: [.json(200, "The workers.", Schema.reference("Workers"))]),
        APIOperation(
            "GET", "/v1/folders", "operations", .read,
            "List the watched folders of this machine, and why files wait.",
            answers: [.json(200, "The folders.", Schema.reference("Folders"))]),
    ]

    private static let sessions: [APIOperation] = [
        APIOperation(
            "GET", "/session", "session", .anyone, "Say whether a token is needed.",
            answers: [.json(200, "What the caller may do.", Schema.reference("Session"))]),
        APIOperation(
            "POST", "/session", "session", .anyone, "Sign a browser in.",
            bodies: [.json(Schema.object([("token", Schema.text)]))],
            answers: [.plain(204, "The cookie of the session is set.")]),
        APIOperation(
            "DELETE", "/session", "session", .anyone, "Sign a browser out.",
            answers: [.plain(204, "The cookie is taken away.")]),
    ]
}
