internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupModel

/// A page of the list of jobs.
struct JobListQuery {
    static let names = [
        "state", "since", "source", "preset", "idPrefix", "find", "limit", "after",
    ]
    private static let standardLimit = 100
    static let mostLimit = 1000

    private let listing: JobListing
    private let request: RoutedRequest
    private let uploads: UploadPaths

    init(_ request: RoutedRequest, _ uploads: UploadPaths, now: Double) throws(Refusal) {
        let query = try QueryReader(request, known: Self.names, repeatable: ["state"])
        let after = try query.parsed("after", as: "a cursor that an earlier page has told") {
            JobCursor($0)
        }
        let limit = try query.integer("limit", in: 1...Self.mostLimit) ?? Self.standardLimit
        var listing = JobListing(after: after, limit: limit)
        let states = query.texts("state")
        if query.text("state") != nil {
            listing.states = []
            for text in states {
                guard let state = JobState(rawValue: text) else {
                    let names = JobState.allCases.map(\.rawValue)
                    throw Refusal(
                        400,
                        .request(
                            "invalidQuery", "there is no state '\(text.prefix(80))'",
                            hint: Spelling.nearest(to: text, among: names)
                                .map { "did you mean '\($0)'?" }
                                ?? "there are \(names.joined(separator: ", "))"))
                }
                listing.states?.insert(state)
            }
        }
        listing.acceptedSince = try query.parsed(
            "since", as: "an age such as 12h, or a time such as 2026-05-04T03:02:01Z"
        ) { text in
            PointInTime.seconds(parsing: text)
                ?? DurationText(parsing: text)?.seconds.map { now - $0 }
        }
        listing.source = query.text("source").map { text in
            SourceMatch(uploads.path(of: text), from: "/")
        }
        (listing.preset, listing.idPrefix) = (query.text("preset"), query.text("idPrefix"))
        listing.search = query.text("find").map { JobSearch(uploads.path(of: $0)) }
        (self.listing, self.request, self.uploads) = (listing, request, uploads)
    }

    func response(_ queue: QueueAccess) throws(Failure) -> HTTPResponse {
        let page = try queue.list(listing)
        var members: [JSONValue.Member] = [
            .init(key: "jobs", value: .list(page.records.map { uploads.shown($0.json) })),
            .init(key: "next", value: .text(optional: page.next.map { "\($0)" })),
        ]
        if page.unreadable > 0 {
            members.append(.init(key: "unreadable", value: .whole(page.unreadable)))
        }
        var response = HTTPResponse.json(.object(members))
        if let next = page.next { response.fields.add("Link", link(to: next)) }
        return response
    }

    private func link(to next: JobCursor) -> String {
        let kept = request.query.filter { $0.name != "after" }
            .map { "\(PathText.encoded($0.name))=\(PathText.encoded($0.value))" }
        let query = (kept + ["after=\(next)"]).joined(separator: "&")
        return "<\(request.http.path)?\(query)>; rel=\"next\""
    }
}
