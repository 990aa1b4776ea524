internal import TakeupHTTP
internal import TakeupJobs
internal import TakeupModel

/// What happens to jobs, as server-sent events.
package struct EventRoutes {
    private let tools: ServeTools

    package init(_ tools: ServeTools) { self.tools = tools }

    package var routes: [Route] {
        [
            Route("GET", "/v1/events", .read) { request in
                request.answer { () throws(Refusal) in
                    _ = try QueryReader(request, known: [])
                    let feed = tools.desk.hub.feed(after: request.http.fields["Last-Event-ID"])
                    return stream(feed, request)
                }
            },
            Route("GET", "/v1/jobs/{id}/events", .read) { request in
                request.answer { () throws(Refusal) in try job(request) }
            },
        ]
    }

    private func stream(_ feed: EventBody.Feed, _ request: RoutedRequest) -> HTTPResponse {
        let body = EventBody(
            feed, now: tools.now, isEnding: request.http.isStopping, isAdmitted: request.isAdmitted)
        return HTTPResponse(200, EventText.fields, body: .stream(body, length: nil))
    }

    private func job(_ request: RoutedRequest) throws(Refusal) -> HTTPResponse {
        _ = try QueryReader(request, known: [])
        let id = JobID(rawValue: request.parameter("id"))
        let found = try Refusal.attempt { () throws(Failure) in try tools.queue.job(id) }
        guard let record = found else {
            throw .notFound(
                "job '\(id.rawValue.prefix(200))'",
                hint: "it was never accepted here, or has been pruned")
        }
        var seen = request.http.fields["Last-Event-ID"].flatMap { JobEventID($0) }
        if let last = seen, last.isOfEnd {
            let isOver = record.state.isTerminal && last.number == JobEventID.end(of: record)
            // Tells a client that it need not come back.
            if isOver { return HTTPResponse(204, [("Cache-Control", "no-store")]) }
            // Somebody has retried the job since.
            seen = nil
        }
        let feed = JobEventFeed(
            id, after: seen, tools.queue, tools.desk.uploads.paths, now: tools.now)
        return stream(feed.feed, request)
    }
}
