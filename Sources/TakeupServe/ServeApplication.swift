package import TakeupHTTP
internal import TakeupLanes
package import TakeupModel

/// The whole server behind its connections: every route, who may use it, and what is done meanwhile.
package final class ServeApplication: HTTPHandler {
    /// Seconds between two rounds of upkeep.
    private static let upkeepSeconds = 600.0

    private let tools: ServeTools
    private let preload: PreloadRoutes
    private let handler: RoutedHandler
    private let isStopping = Locked(false)
    private let bell = Bell()

    /// - Parameters:
    ///   - tools: What the routes work with.
    ///   - access: Who may reach the server.
    /// - Throws: With 78 for tokens that cannot be used, or that are missing, and for a key of proxy addresses that
    ///   cannot be used.
    package init(_ tools: ServeTools, _ access: AccessRules) throws(Failure) {
        self.tools = tools
        preload = PreloadRoutes(tools)
        let media = try MediaRoutes(tools)
        handler = RoutedHandler(
            Self.routes(tools, media, preload),
            access: try AccessGuard(access, log: tools.log, now: tools.now), log: tools.log,
            figures: tools.desk.requests)
    }

    /// The routes of all areas.
    static func routes(
        _ tools: ServeTools, _ media: MediaRoutes, _ preload: PreloadRoutes
    ) -> [Route] {
        [
            media.routes, SourceRoutes(tools).routes, preload.routes,
            JobRoutes(tools).routes, EventRoutes(tools).routes, PlanRoutes(tools).routes,
            UploadRoutes(tools).routes, CacheRoutes(tools).routes, PresetRoutes(tools).routes,
            OperationsRoutes(tools, media.figures).routes, DashboardRoutes(tools).routes,
        ].flatMap(\.self)
    }

    package func plan(for request: HTTPRequest) -> RequestPlan { handler.plan(for: request) }

    package func note(_ exchange: ExchangeRecord) { handler.note(exchange) }

    /// Begins what goes on beside requests; call it once.
    package func start() {
        Lane("takeup.serve.upkeep").start { [self] in
            var (next, due) = (tools.now(), tools.now())
            while !isStopping.withLock({ $0 }) {
                tools.desk.history.sample()
                if tools.now() >= due {
                    keepUp()
                    due = tools.now() + Self.upkeepSeconds
                }
                next = max(next + ServeHistory.sampleSeconds, tools.now())
                bell.wait(seconds: next - tools.now())
            }
        }
    }

    /// Ends it, and the process that plans exports.
    package func stop() {
        isStopping.withLock { $0 = true }
        bell.ring()
        preload.stop()
        tools.desk.media.stop()
    }

    /// Removes what nobody needs any more.
    func keepUp() {
        tools.desk.keys.expire(now: tools.wallClock())
        tools.desk.uploads.expire { folder in
            // What cannot be told is kept.
            (try? UploadRoutes.isUsed(folder, tools.queue)) ?? true
        }
    }
}
