internal import TakeupModel

/// The description of media, of the proxy and of what is fetched.
enum MediaOperations {
    private typealias Schema = APISchema

    static let all: [APIOperation] = media + sources + preloads

    private static let conditions: [APIOperation.Parameter] = [
        .header("Range", "One range of bytes, or several."),
        .header("If-Range", "Sends the whole where the content is another one."),
        .header("If-None-Match", "Answers 304 where the content is still this one."),
        .header("If-Modified-Since", "Answers 304 where the content is as old."),
        .header("If-Match", "Answers 412 where the content is another one."),
        .header("If-Unmodified-Since", "Answers 412 where the content is younger."),
    ]

    private static let bodies: [APIOperation.Answer] = [
        .plain(200, "The bytes.", .bytes("*/*")),
        .plain(206, "A part of the bytes, or several.", .bytes("*/*")),
        .plain(304, "The client has them."),
    ]

    private static let media: [APIOperation] = [
        APIOperation(
            "GET", "/media/{name}", "media", .read,
            "Read a result: its id, a dot and its extension.", parameters: conditions,
            answers: bodies, problems: [404, 412, 416]),
        APIOperation(
            "POST", "/v1/proxy", "media", .submit,
            "Make the address under which this server serves a remote asset.",
            bodies: [
                .json(
                    Schema.request(
                        [
                            ("url", Schema.text), ("headers", Schema.list(Schema.text)),
                            ("expires", Schema.text),
                        ], required: ["url"]))
            ],
            answers: [
                .json(200, "A signed address.", Schema.object([("url", Schema.text)]))
            ], problems: [404, 502, 504]),
        APIOperation(
            "GET", "/p/{address...}", "media", .anyone,
            "Read a remote asset through the cache, by an address that `POST /v1/proxy` made.",
            parameters: conditions, answers: bodies,
            problems: [404, 410, 412, 416, 502, 504, 507]),
        APIOperation(
            "OPTIONS", "/p/{address...}", "media", .anyone,
            "Let a page of another site read it: browsers ask for that.",
            answers: [.plain(204, "It may.")]),
    ]

    private static let sources: [APIOperation] = [
        APIOperation(
            "GET", "/v1/sources", "sources", .read,
            "List remote assets: what is here of each, and what it cost its origin.",
            parameters: [
                .query("limit", "Sources of one page.", Schema.range(1...1000)),
                .query("after", "The `next` of the page before."),
            ],
            answers: [
                .json(
                    200, "A page; `next` is null at the end.",
                    Schema.object([
                        ("sources", Schema.list(Schema.reference("Source"))),
                        ("next", Schema.optional(Schema.text)),
                    ]))
            ], problems: [502, 504, 507]),
        APIOperation(
            "GET", "/v1/sources/{key}", "sources", .read, "Show a remote asset.",
            answers: [.json(200, "The asset.", Schema.reference("Source"))],
            problems: [404, 502, 504, 507]),
        APIOperation(
            "DELETE", "/v1/sources/{key}", "sources", .submit,
            "Remove what is here of a remote asset.", answers: [.plain(204, "It is gone.")],
            problems: [404, 409, 502, 504, 507]),
    ]

    private static let preloads: [APIOperation] = [
        APIOperation(
            "POST", "/v1/preload", "sources", .submit,
            "Fetch bytes of remote assets before anybody reads them.",
            bodies: [
                .json(
                    Schema.request([
                        ("url", Schema.text), ("urls", Schema.list(Schema.text)),
                        ("range", Schema.text), ("bytes", Schema.count), ("next", Schema.count),
                    ]))
            ],
            answers: [
                .json(202, "The list is being fetched.", Schema.object([("id", Schema.text)]))
            ]),
        APIOperation(
            "GET", "/v1/preload/{id}", "sources", .read, "Say how far a list is.",
            answers: [.json(200, "The list.", Schema.reference("Preload"))], problems: [404]),
        APIOperation(
            "DELETE", "/v1/preload/{id}", "sources", .submit, "Fetch no more of a list.",
            answers: [.plain(204, "It is cancelled.")], problems: [404]),
    ]

    static let schemas: [(String, JSONValue)] = [
        (
            "Source",
            Schema.object([
                ("key", Schema.text), ("url", Schema.text), ("state", Schema.text),
                ("bytesPresent", Schema.count), ("bytesTotal", Schema.optional(Schema.count)),
                ("lastError", Schema.optional(Schema.text)), ("originRequests", Schema.count),
                ("originBytes", Schema.count), ("readers", Schema.count),
                ("updatedAt", Schema.optional(Schema.time)),
            ])
        ),
        (
            "Preload",
            Schema.object([
                ("id", Schema.text),
                ("state", Schema.words(["waiting", "fetching", "done", "cancelled"])),
                ("createdAt", Schema.optional(Schema.time)),
                ("endedAt", Schema.optional(Schema.time)),
                (
                    "items",
                    Schema.list(
                        Schema.object([
                            ("url", Schema.text),
                            (
                                "state",
                                Schema.words(["waiting", "fetching", "done", "partial", "failed"])
                            ),
                            ("code", Schema.optional(Schema.text)),
                            ("reason", Schema.optional(Schema.text)),
                        ]))
                ),
            ])
        ),
    ]
}
