internal import TakeupHTTP
internal import TakeupModel
internal import TakeupTelemetry

/// What operators and their programs ask.
package struct OperationsRoutes {
    private let tools: ServeTools
    private let media: MediaFigures

    package init(_ tools: ServeTools, _ media: MediaFigures) {
        (self.tools, self.media) = (tools, media)
    }

    package var routes: [Route] {
        [
            Route("GET", "/livez", .anyone) { _ in .answer(Self.text("ok\n")) },
            Route("GET", "/readyz", .anyone) { request in
                let readiness = Readiness(tools)
                guard !readiness.isReady else { return .answer(.json(readiness.json)) }
                // Reasons name folders: they are for those who may look at jobs.
                let json: JSONValue =
                    request.scope >= .read
                    ? readiness.json
                    : Readiness(
                        readiness.checks.map {
                            Readiness.Check(
                                name: $0.name, reason: $0.reason == nil ? nil : "not well")
                        }
                    ).json
                return .answer(.json(json, status: 503, [("Retry-After", "5")]))
            },
            Route("GET", "/metrics", .read) { _ in
                .answer(
                    HTTPResponse(
                        200,
                        [
                            ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"),
                            ("Cache-Control", "no-store"),
                        ], body: .text(MetricsText(metrics).description)))
            },
            Route("GET", "/openapi.json", .anyone) { request in
                request.answer { () throws(Refusal) in
                    ContentTag.response("\(APIDocument.json)\n", to: request.http)
                }
            },
            Route("GET", "/v1/status", .read) { request in
                request.answer { () throws(Refusal) in
                    try ServiceReport(tools).status(request)
                }
            },
            Route("GET", "/v1/workers", .read) { request in
                request.answer { () throws(Refusal) in
                    _ = try QueryReader(request, known: [])
                    return try Refusal.attempt { () throws(Failure) in
                        .json(try ServiceReport(tools).workers())
                    }
                }
            },
            Route("GET", "/v1/folders", .read) { request in
                request.answer { () throws(Refusal) in
                    _ = try QueryReader(request, known: [])
                    return try Refusal.attempt { () throws(Failure) in
                        .json(["folders": .list(try FolderReport(tools).folders())])
                    }
                }
            },
        ]
    }

    private static func text(_ text: String) -> HTTPResponse {
        HTTPResponse(
            200, [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
            body: .text(text))
    }

    private var metrics: Metrics {
        var metrics = tools.metrics().without(label: "folder")
        tools.desk.requests.add(to: &metrics)
        media.add(to: &metrics)
        // Figures that cannot be told now are left out.
        guard let uploads = try? tools.desk.uploads.all() else { return metrics }
        for isComplete in [true, false] {
            metrics.gauge(
                "takeup_uploads", Double(uploads.count { $0.upload.isComplete == isComplete }),
                "Files that clients have sent, or send.",
                Metrics.Label("state", isComplete ? "complete" : "partial"))
        }
        metrics.gauge(
            "takeup_upload_bytes", Double(uploads.reduce(0) { $0 + $1.offset }),
            "Bytes of those files.")
        return metrics
    }
}
