internal import TakeupJobs
internal import TakeupModel

/// The description of jobs, events and plans.
enum JobOperations {
    private typealias Schema = APISchema

    private static let states = Schema.words(JobState.allCases.map(\.rawValue))
    private static let job = Schema.reference("Job")
    private static let lastEvent = APIOperation.Parameter.header(
        "Last-Event-ID", "Goes on behind this event.")
    private static let known = APIOperation.Parameter.header(
        "If-None-Match", "Answers 304 where the content is still this one.")

    static let all: [APIOperation] = [
        APIOperation(
            "POST", "/v1/jobs", "jobs", .submit,
            "Accept a job, or several; when this answers they survive a restart.",
            parameters: [
                .header(
                    "Idempotency-Key",
                    "A token or quoted string: the same request under it is done once.")
            ],
            bodies: [
                .json(Schema.either(Schema.reference("JobRequest"), Schema.reference("JobBatch")))
            ],
            answers: [
                .json(
                    200, "The job was there already; or one result for each of several jobs.",
                    Schema.either(job, Schema.reference("JobResults"))),
                .json(201, "The job is accepted.", job),
            ], problems: [409, 422, 507]),
        APIOperation(
            "GET", "/v1/jobs", "jobs", .read, "List jobs, the ones accepted last first.",
            parameters: [
                .query("state", "Repeatable, or several with commas.", Schema.text),
                .query("since", "An age such as 12h, or a time."),
                .query("source", "A path, a folder or an address."),
                .query("preset", "A preset's name."),
                .query("idPrefix", "What the ids begin with."),
                .query(
                    "find",
                    "The beginning of an id, or of the first source's address, path or file name."),
                .query("limit", "Jobs of one page.", Schema.range(1...JobListQuery.mostLimit)),
                .query("after", "The `next` of the page before."),
            ],
            answers: [.json(200, "A page; `next` is null at the end.", Schema.reference("JobPage"))]
        ),
        APIOperation(
            "GET", "/v1/jobs/counts", "jobs", .read, "Count the jobs in each state.",
            answers: [.json(200, "The counts.", Schema.reference("JobCounts"))]),
        APIOperation(
            "POST", "/v1/jobs/lookup", "jobs", .read, "Find jobs by ids, states or ends.",
            bodies: [.json(Schema.reference("JobLookup"))], needsBody: false,
            answers: [
                .json(
                    200, "The jobs that there are, in the order of acceptance.",
                    Schema.object([("jobs", Schema.list(Schema.reference("JobDetail")))]))
            ]),
        APIOperation(
            "POST", "/v1/jobs/prune", "jobs", .admin, "Forget jobs that ended long ago.",
            bodies: [
                .json(
                    Schema.request([
                        (
                            "olderThan",
                            Schema.either(
                                Schema.text, ["type": "number", "minimum": .integer(0)])
                        )
                    ]))
            ], needsBody: false,
            answers: [
                .json(200, "How many were forgotten.", Schema.object([("pruned", Schema.count)]))
            ]),
        APIOperation(
            "GET", "/v1/jobs/{id}", "jobs", .read, "Show a job.", parameters: [known],
            answers: [
                .json(200, "The job.", Schema.reference("JobDetail")),
                .plain(304, "The client has it."),
            ], problems: [404]),
        APIOperation(
            "DELETE", "/v1/jobs/{id}", "jobs", .submit, "Cancel a job.",
            answers: [
                .json(200, "The job had ended already.", job),
                .json(202, "The job is cancelled, or its worker is asked to stop.", job),
            ], problems: [404]),
        APIOperation(
            "POST", "/v1/jobs/{id}/retry", "jobs", .submit,
            "Queue a job again that has ended or is being cancelled.",
            answers: [
                .json(200, "The job waits or runs already.", job),
                .json(202, "The job is queued.", job),
            ], problems: [404, 415]),
        APIOperation(
            "GET", "/v1/jobs/{id}/events", "events", .read,
            "Follow a job to its end, as server-sent events.", parameters: [lastEvent],
            answers: [
                .plain(200, "Events until the end.", .text("text/event-stream")),
                .plain(204, "The client has seen the end."),
            ], problems: [404]),
        APIOperation(
            "GET", "/v1/jobs/{id}/log", "jobs", .read,
            "Read what the media libraries said in the last attempt on this machine.",
            answers: [.plain(200, "The log; empty without one.", .text("text/plain"))],
            problems: [404]),
        APIOperation(
            "GET", "/v1/events", "events", .read, "Follow all jobs, as server-sent events.",
            parameters: [lastEvent],
            answers: [.plain(200, "Events without an end.", .text("text/event-stream"))]),
        APIOperation(
            "POST", "/v1/plan", "jobs", .submit, "Say what a job would do, without doing it.",
            bodies: [.json(Schema.reference("JobRequest"))],
            answers: [.json(200, "The plan.", Schema.reference("Plan"))],
            problems: [404, 409, 422, 507]),
        APIOperation(
            "GET", "/v1/presets", "presets", .read, "List the presets.", parameters: [known],
            answers: [
                .json(200, "The presets.", Schema.list(Schema.reference("Preset"))),
                .plain(304, "The client has them."),
            ]),
        APIOperation(
            "GET", "/v1/presets/{name}", "presets", .read, "Show a preset with every number.",
            parameters: [known],
            answers: [
                .json(200, "The preset.", Schema.reference("Preset")),
                .plain(304, "The client has it."),
            ], problems: [404]),
        APIOperation(
            "POST", "/v1/presets/for", "presets", .submit,
            "Say which presets suit a source and, for the others, why not.",
            bodies: [.json(Schema.reference("JobRequest"))],
            answers: [
                .json(
                    200, "One answer a preset.", Schema.list(Schema.reference("PresetAnswer")))
            ], problems: [404, 409, 422, 507]),
    ]
}
