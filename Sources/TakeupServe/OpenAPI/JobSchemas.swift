internal import TakeupJobs
internal import TakeupModel

/// The schemas of jobs.
enum JobSchemas {
    private typealias Schema = APISchema

    static let all: [(String, JSONValue)] = [
        ("Problem", problem), ("Error", error), ("DetailedError", detailedError),
        ("JobRequest", request),
        ("JobBatch", batch), ("Job", APISchema.object(members)), ("JobDetail", detail),
        ("JobPage", page), ("JobResults", results), ("JobCounts", counts),
        ("JobResult", result), ("JobSpec", spec), ("JobLookup", lookup),
    ]

    private static let states = Schema.words(JobState.allCases.map(\.rawValue))
    /// Seconds, or a text such as `7d`.
    private static let age = Schema.either(
        Schema.text, ["type": "number", "exclusiveMinimum": .integer(0)])
    /// Seconds, a clock time, or a fraction.
    private static let moment = Schema.either(
        Schema.text, ["type": "number", "minimum": .integer(0)])

    private static let problem = Schema.object([
        ("type", Schema.text), ("title", Schema.text), ("status", Schema.whole),
        ("detail", Schema.text), ("code", Schema.text), ("stage", Schema.text),
        ("hint", Schema.text), ("exitCode", exitCode), ("instance", Schema.text),
    ])

    private static let error = Schema.object([
        ("code", Schema.text), ("stage", Schema.text), ("message", Schema.text),
        ("hint", Schema.text),
    ])

    /// What a command ends with because of it.
    private static let exitCode = Schema.range(1...255)

    private static let detailedError = Schema.object([
        ("code", Schema.text), ("stage", Schema.text), ("message", Schema.text),
        ("hint", Schema.text), ("exitCode", exitCode),
    ])

    static let requestMembers: [(String, JSONValue)] = [
        (
            "id",
            [
                "type": "string", "minLength": .integer(1), "maxLength": .whole(JobID.longest),
                "description": .text("How the job is called; \(JobID.rule)."),
            ]
        ),
        (
            "source",
            [
                "description": """
                An http or https address, a path below an allowed folder, or what an upload \
                answers; several are joined in order. Or a timeline of them.
                """,
                "anyOf": .list([
                    ["type": "string", "minLength": .integer(1)],
                    [
                        "type": "array", "items": ["type": "string", "minLength": .integer(1)],
                        "minItems": .integer(1), "maxItems": .whole(JobSpec.mostSources),
                    ],
                    Schema.reference("Timeline"),
                ]),
            ]
        ),
        ("preset", Schema.text), ("template", Schema.text), ("music", Schema.text),
        ("start", moment), ("end", moment), ("duration", moment),
        ("output", Schema.text), ("expires", age),
        ("priority", Schema.range(JobSpec.priorities)),
        ("retries", Schema.range(JobSpec.retryCounts)),
        ("metadata", Schema.map(Schema.either(Schema.text, Schema.number))),
        ("stripMetadata", Schema.flag),
        ("overwrite", Schema.words(ExportSettings.Overwrite.allCases.map(\.rawValue))),
        ("onTruncated", Schema.words(ExportSettings.OnTruncated.allCases.map(\.rawValue))),
        ("verify", Schema.words(ExportSettings.Verification.allCases.map(\.rawValue))),
        ("copy", Schema.words(ExportSettings.CopyPolicy.allCases.map(\.rawValue))),
        ("sizeLimit", Schema.either(Schema.text, ["type": "integer", "minimum": .integer(1)])),
        (
            "set",
            Schema.map(
                Schema.either(Schema.text, Schema.number, Schema.flag, ["type": "null"]))
        ),
        ("notBefore", Schema.time), ("timeout", age),
        ("onReplaced", Schema.words(JobSpec.OnReplaced.allCases.map(\.rawValue))),
        ("queue", Schema.text), ("tags", Schema.list(Schema.text)), ("key", Schema.text),
    ]

    private static let request = Schema.request(requestMembers, required: ["source"])

    private static let batch = Schema.either(
        Schema.list(Schema.reference("JobRequest")),
        Schema.request(
            [
                (
                    "defaults",
                    Schema.request(requestMembers.filter { !["id", "source"].contains($0.0) })
                ),
                // What is wrong with one job is its own answer, not the request's.
                ("jobs", Schema.list(["type": "object"])),
            ], required: ["jobs"]))

    private static let members: [(String, JSONValue)] = [
        ("id", Schema.text), ("state", states),
        ("source", Schema.either(Schema.text, Schema.list(Schema.text))),
        ("preset", Schema.text), ("priority", Schema.whole),
        ("queue", Schema.optional(Schema.text)), ("tags", Schema.list(Schema.text)),
        ("key", Schema.optional(Schema.text)), ("output", Schema.optional(Schema.text)),
        (
            "progress",
            Schema.optional(
                Schema.object([
                    ("phase", Schema.text), ("fraction", Schema.optional(Schema.number)),
                    ("speed", Schema.optional(Schema.number)),
                    ("eta", Schema.optional(Schema.number)),
                ]))
        ),
        ("error", Schema.optional(Schema.reference("Error"))),
        ("note", Schema.optional(Schema.text)), ("createdAt", Schema.optional(Schema.time)),
        ("runAt", Schema.optional(Schema.time)), ("startedAt", Schema.optional(Schema.time)),
        ("finishedAt", Schema.optional(Schema.time)), ("cursor", Schema.text),
    ]

    private static let detail = APISchema.object(
        members.filter { $0.0 != "error" } + [
            ("error", Schema.optional(Schema.reference("DetailedError"))),
            ("why", Schema.text), ("failures", Schema.count), ("crashes", Schema.count),
            ("interruptions", Schema.count), ("cancelRequested", Schema.flag),
            ("worker", Schema.optional(Schema.text)),
            ("leaseUntil", Schema.optional(Schema.time)),
            ("workKey", Schema.optional(Schema.text)),
            ("result", Schema.optional(Schema.reference("JobResult"))),
            ("spec", Schema.reference("JobSpec")),
        ])

    private static let page = Schema.object(
        [
            ("jobs", Schema.list(Schema.reference("Job"))),
            ("next", Schema.optional(Schema.text)), ("unreadable", Schema.count),
        ], optional: ["unreadable"])

    private static let results = Schema.object([
        (
            "jobs",
            Schema.list(
                Schema.either(
                    Schema.object([
                        ("id", Schema.text), ("state", states), ("created", Schema.flag),
                    ]),
                    Schema.object(
                        [("id", Schema.text), ("error", Schema.reference("DetailedError"))],
                        optional: ["id"])))
        )
    ])

    private static let counts = Schema.object(
        JobState.allCases.map { ($0.rawValue, Schema.count) })

    private static let result = Schema.object([
        ("output", Schema.text), ("bytes", Schema.count), ("sha256", Schema.text),
        ("duration", Schema.optional(Schema.number)), ("frames", Schema.count),
        ("seconds", Schema.optional(Schema.number)),
        (
            "warnings",
            Schema.list(Schema.object([("code", Schema.text), ("message", Schema.text)]))
        ),
    ])

    private static let spec = Schema.object([
        ("sources", Schema.list(Schema.text)),
        ("timeline", Schema.optional(Schema.reference("Timeline"))), ("preset", Schema.text),
        ("set", Schema.list(Schema.text)), ("start", Schema.optional(Schema.number)),
        ("duration", Schema.optional(Schema.number)), ("output", Schema.optional(Schema.text)),
        ("overwrite", Schema.text), ("onTruncated", Schema.text), ("verify", Schema.text),
        ("copy", Schema.text), ("metadata", Schema.map(Schema.text)),
        ("stripMetadata", Schema.flag), ("sizeLimit", Schema.optional(Schema.whole)),
        ("expires", Schema.optional(Schema.number)), ("priority", Schema.whole),
        ("retries", Schema.whole), ("notBefore", Schema.optional(Schema.time)),
        ("timeout", Schema.optional(Schema.number)), ("onReplaced", Schema.text),
        ("queue", Schema.optional(Schema.text)), ("tags", Schema.list(Schema.text)),
        ("key", Schema.optional(Schema.text)),
    ])

    private static let lookup = Schema.request([
        ("ids", ["type": "array", "items": Schema.text, "maxItems": .integer(1000)]),
        ("states", Schema.list(states)), ("endedSince", Schema.number),
    ])
}
