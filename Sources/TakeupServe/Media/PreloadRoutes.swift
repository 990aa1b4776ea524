internal import TakeupCache
internal import TakeupFetch
internal import TakeupHTTP
internal import TakeupModel
internal import TakeupWorker

/// Preloading over HTTP: bytes that a later reader will want.
package struct PreloadRoutes {
    private static let mostBytes = 4 << 20

    private let desk: PreloadDesk
    private let library: SourceLibrary
    private let wallClock: @Sendable () -> Double

    package init(_ tools: ServeTools) {
        let limits = SourceLimits(tools.cache.limits)
        let desk = PreloadDesk(tools.sources, limits: limits, wallClock: tools.wallClock)
        self.init(desk, tools.sources, wallClock: tools.wallClock)
    }

    init(
        _ desk: PreloadDesk, _ library: SourceLibrary, wallClock: @escaping @Sendable () -> Double
    ) {
        (self.desk, self.library, self.wallClock) = (desk, library, wallClock)
    }

    package var routes: [Route] {
        [
            Route("POST", "/v1/preload", .submit) { add($0) },
            Route("GET", "/v1/preload/{id}", .read) { show($0) },
            Route("DELETE", "/v1/preload/{id}", .submit) { cancel($0) },
        ]
    }

    /// Stops fetching, and waits for the end.
    package func stop() { desk.stop() }

    private func add(_ request: RoutedRequest) -> RequestPlan {
        request.collect(upTo: Self.mostBytes) { [desk, library, wallClock] bytes throws(Refusal) in
            let list = try PreloadList(parsing: bytes, now: wallClock())
            for item in list.items {
                try Refusal.requirePermitted(item.address, by: library)
            }
            guard let id = desk.add(list) else {
                throw Refusal(
                    503,
                    .request(
                        "tooManyPreloads", "\(PreloadDesk.mostLists) lists are being preloaded",
                        hint: "cancel one, or wait until one has ended",
                        Failure.Ending(.temporary, .retry)))
            }
            return .json(
                ["id": .text(id)], status: 202, [("Location", "/v1/preload/\(id)")])
        }
    }

    private func show(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            let id = request.parameter("id")
            guard let list = desk.list(id) else { throw Self.unknown }
            return .json(list.json(id: id))
        }
    }

    private func cancel(_ request: RoutedRequest) -> RequestPlan {
        request.answer { () throws(Refusal) in
            guard desk.cancel(request.parameter("id")) else { throw Self.unknown }
            return HTTPResponse(204, [("Cache-Control", "no-store")])
        }
    }

    private static var unknown: Refusal {
        .notFound("preload with this id", hint: "one is kept for an hour after its end")
    }
}
