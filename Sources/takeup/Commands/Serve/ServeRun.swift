import Foundation
import TakeupDaemon
import TakeupFetch
import TakeupHTTP
import TakeupLanes
import TakeupModel
import TakeupServe
import TakeupService
import TakeupTelemetry

/// Opens what a server works with, and serves until it is stopped.
struct ServeRun: Sendable {
    /// With fewer open files a server and its stores come to nothing.
    private static let leastFiles: UInt64 = 64
    /// Open files of one connection: its socket, and what is read for it.
    private static let filesPerConnection = 4

    private let options: ServeOptions
    private let worker: WorkerOptions
    private let style: OutputStyle

    init(_ options: ServeOptions, _ worker: WorkerOptions, _ style: OutputStyle) {
        (self.options, self.worker, self.style) = (options, worker, style)
    }

    func perform(in context: CommandContext) async throws(Failure) -> ExitCode {
        let files = Self.openFiles()
        guard files >= Self.leastFiles else { throw .tooFewFiles(files) }
        let socket = try ActivationSocket.take(context.environment)
        let listen = socket?.address ?? options.listen
        guard listen.isLocal || options.tokenFile != nil else {
            throw .tokensMissing(at: listen)
        }
        let run = WorkerRun(worker, style, worksHere: options.worksHere)
        return try await run.perform(in: context) { parts throws(Failure) in
            let server = try open(parts, socket, listen, files: files)
            return companion(of: server, at: listen, parts, run)
        }
    }

    /// Opens what the routes need, and listens.
    private func open(
        _ parts: WorkerRun.Parts, _ socket: ActivationSocket?, _ listen: ListenAddress,
        files: UInt64
    ) throws(Failure) -> HTTPServer {
        let context = parts.context
        let sources: SourceLibrary
        if let shared = parts.worker.sources {
            sources = shared
        } else {
            sources = try worker.network.library(
                at: parts.places, clock: context.wallClock, log: parts.log)
        }
        let tools = ServeTools(
            places: parts.places, queue: parts.queue,
            cache: try parts.places.openReadableCache(worker.limits), sources: sources,
            worker: options.worksHere ? parts.worker : nil,
            settings: try settings(in: context), log: parts.log, wallClock: context.wallClock,
            now: context.now)
        var limits = HTTPServer.Limits()
        limits.connections = min(limits.connections, Int(files) / Self.filesPerConnection)
        do throws(HTTPServerError) {
            return try HTTPServer(
                address(socket, listen, in: context), limits: limits, handler: NoHandler(tools))
        } catch {
            throw Failure(error, at: listen)
        }
    }

    private func address(
        _ socket: ActivationSocket?, _ listen: ListenAddress, in context: CommandContext
    ) -> HTTPServer.Address {
        if let socket { return .descriptor(socket.descriptor) }
        return switch listen {
        case .tcp(let host, let port): .tcp(host: host, port: port)
        case .unix(let path): .unix(path: context.absolute(path))
        }
    }

    private func settings(in context: CommandContext) throws(Failure) -> ServeSettings {
        var settings = ServeSettings()
        settings.allowedPaths = options.allowedPaths.map(context.absolute)
        settings.publicURL = options.publicURL
        if let bytes = options.uploadBytes { settings.uploadBytes = bytes }
        return settings
    }

    /// What runs beside the worker: the server, until both have ended.
    private func companion(
        of server: HTTPServer, at listen: ListenAddress, _ parts: WorkerRun.Parts,
        _ run: WorkerRun
    ) -> WorkerRun.Companion {
        let stopping = ServerStop(server)
        let seconds = worker.drainSeconds
        return WorkerRun.Companion(
            ready: { tell(server, at: listen, parts, run) },
            drain: { stopping.begin(graceSeconds: seconds) },
            stop: { stopping.hurry() },
            finished: { await stopping.finished() })
    }

    private func tell(
        _ server: HTTPServer, at listen: ListenAddress, _ parts: WorkerRun.Parts, _ run: WorkerRun
    ) {
        let place: ListenAddress =
            if case .tcp(let host, let port) = server.address {
                .tcp(host: host, port: port)
            } else { listen }
        if style.isJSON { parts.context.print(["type": "ready", "url": .text(place.url)]) }
        var words = "ready: \(place.url), \(run.description(at: parts.places))"
        if case .tcp = place { words += "; the dashboard is \(options.publicURL ?? place.url)/" }
        parts.log.record(.info, words)
    }

    /// The most files that this process may have open.
    private static func openFiles() -> UInt64 {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        return getrlimit(resource, &limit) == 0 ? UInt64(limit.rlim_cur) : .max
    }
}

/// Stops a server once, on a lane of its own, for a task to wait for.
private final class ServerStop: Sendable {
    private let server: HTTPServer
    private let hasBegun = Locked(false)
    private let end: AsyncStream<Never>
    private let ending: AsyncStream<Never>.Continuation

    init(_ server: HTTPServer) {
        self.server = server
        (end, ending) = AsyncStream<Never>.makeStream()
    }

    func begin(graceSeconds: Double) {
        let isFirst = hasBegun.withLock { begun in
            defer { begun = true }
            return !begun
        }
        guard isFirst else { return }
        Lane("takeup.serve.stop").start { [self] in
            server.stop(graceSeconds: graceSeconds)
            ending.finish()
        }
    }

    /// Cuts what still goes on.
    func hurry() {
        begin(graceSeconds: 0)
        server.stop(graceSeconds: 0)
    }

    /// Returns once the server has stopped; stops it, too, where nobody has.
    func finished() async {
        begin(graceSeconds: 0)
        for await _ in end {}
    }
}

/// Answers until the routes are joined.
private struct NoHandler: HTTPHandler {
    init(_ tools: ServeTools) {}

    func plan(for request: HTTPRequest) -> RequestPlan { .answer(HTTPResponse(404)) }

    func note(_ exchange: ExchangeRecord) {}
}
