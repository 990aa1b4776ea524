import Foundation
import TakeupDaemon
import TakeupFetch
import TakeupFiles
import TakeupHTTP
import TakeupIntake
import TakeupLanes
import TakeupMediaClient
import TakeupModel
import TakeupServe
import TakeupService
import TakeupTelemetry
import TakeupWorker

/// Opens what a server works with, and serves until it is stopped.
struct ServeRun: Sendable {
    /// With fewer, neither the server nor its stores come to anything.
    private static let leastFiles = 64
    /// Open files of one connection: its socket, and what is read for it.
    private static let filesPerConnection = 4

    private let options: ServeOptions
    private let worker: WorkerOptions
    private let style: OutputStyle

    init(_ options: ServeOptions, _ worker: WorkerOptions, _ style: OutputStyle) {
        (self.options, self.worker, self.style) = (options, worker, style)
    }

    func perform(in context: CommandContext) async throws(Failure) -> ExitCode {
        let listen = try ActivationSocket.take(context.environment) ?? place(in: context)
        let rules = AccessRules(
            listeners: [listen], publicURL: options.publicURL, allowedHosts: options.allowedHosts,
            tokenFile: options.tokenFile.map(context.absolute))
        // Before any store is opened.
        try rules.check()
        try checkAllowedPaths(in: context)
        guard OpenFileLimit.current >= Self.leastFiles else {
            throw .tooFewFiles(
                "a server cannot work with \(OpenFileLimit.current) open files at most")
        }
        let run = WorkerRun(worker, style, worksHere: options.worksHere)
        return try await run.perform(in: context) { parts throws(Failure) in
            let (server, application) = try open(parts, listen, rules)
            return companion(of: server, application, parts, run)
        }
    }

    /// - Throws: With 78 for the server's own folders, which no request may name.
    private func checkAllowedPaths(in context: CommandContext) throws(Failure) {
        let folders = options.allowedPaths.map(context.absolute)
        let rule = ServeTools.pathRule(folders, try worker.places(in: context))
        guard let closed = rule.closedFolders.first else { return }
        throw Failure(
            exitCode: .configuration, code: "configuration", stage: "request",
            message: "--allow-path cannot be \(closed): the home folder, the cache and the folder"
                + " of the database are never allowed",
            hint: "give the folder of the media")
    }

    /// Tells of allowed folders that are not there now: a disk may be mounted later.
    private func warnOfMissing(_ folders: [String], _ log: Log) {
        for folder in folders where !OutputPath.isDirectory(folder) {
            log.record(
                .warning,
                FileManager.default.fileExists(atPath: folder)
                    ? "--allow-path: \(folder) is no folder, so no job can name it; give its folder"
                    : "--allow-path: there is no folder \(folder) now; its jobs wait, and new ones "
                        + "are refused; for several folders, give the option several times")
        }
    }

    private func place(in context: CommandContext) -> HTTPServer.Address {
        guard case .unix(let path, let mode) = options.listen else { return options.listen }
        return .unix(path: context.absolute(path), mode: mode)
    }

    /// Opens what the routes need, and listens.
    private func open(
        _ parts: WorkerRun.Parts, _ listen: HTTPServer.Address, _ rules: AccessRules
    ) throws(Failure) -> (HTTPServer, ServeApplication) {
        let context = parts.context
        let sources: SourceLibrary
        if let shared = parts.worker.sources {
            sources = shared
        } else {
            sources = try worker.network.library(
                at: parts.places, clock: context.wallClock, log: parts.log)
        }
        var helper = worker.configuration(at: parts.places).helper
        helper.scratchParent = parts.worker.scratch
        let daemon = parts.daemon
        let tools = ServeTools(
            places: parts.places, queue: parts.queue,
            cache: try parts.places.openReadableCache(worker.limits), sources: sources,
            worker: options.worksHere ? parts.worker : nil, settings: settings(in: context),
            presetFolder: context.presetFolder, helper: helper, metrics: { daemon.metrics() },
            log: parts.log, wallClock: context.wallClock, now: context.now)
        warnOfMissing(tools.settings.allowedPaths, parts.log)
        let application = try ServeApplication(tools, rules)
        var limits = HTTPServer.Limits()
        limits.connections = min(
            limits.connections, OpenFileLimit.current / Self.filesPerConnection)
        do throws(HTTPServerError) {
            return (try HTTPServer(listen, limits: limits, handler: application), application)
        } catch {
            throw Failure(error)
        }
    }

    private func settings(in context: CommandContext) -> ServeSettings {
        var settings = ServeSettings()
        settings.allowedPaths = options.allowedPaths.map(context.absolute)
        settings.publicURL = options.publicURL
        if let bytes = options.uploadBytes { settings.uploadBytes = bytes }
        settings.lanes = options.worksHere ? worker.lanes : 0
        return settings
    }

    /// What runs beside the worker: the server, until both have ended.
    private func companion(
        of server: HTTPServer, _ application: ServeApplication, _ parts: WorkerRun.Parts,
        _ run: WorkerRun
    ) -> WorkerRun.Companion {
        let stopping = ServerStop(server)
        let seconds = worker.drainSeconds
        return WorkerRun.Companion(
            ready: {
                application.start()
                tell(server, parts, run)
            },
            drain: { stopping.begin(graceSeconds: seconds) },
            stop: { stopping.hurry() },
            finished: {
                await stopping.finished()
                application.stop()
            })
    }

    private func tell(_ server: HTTPServer, _ parts: WorkerRun.Parts, _ run: WorkerRun) {
        let place = server.address
        let url = Self.reachable(place, options.publicURL)
        if style.isJSON { parts.context.print(["type": "ready", "url": .text(url)]) }
        var words = "ready: \(url), \(run.description(at: parts.places))"
        if case .tcp = place { words += "; the dashboard is \(options.publicURL ?? url)/" }
        parts.log.record(.info, words)
    }

    /// The address of a server for its clients: nobody can connect to the one that stands for all.
    static func reachable(_ place: HTTPServer.Address, _ publicURL: String?) -> String {
        switch place {
        case .tcp("0.0.0.0", let port):
            publicURL ?? HTTPServer.Address.tcp(host: "127.0.0.1", port: port).url
        case .tcp("::", let port):
            publicURL ?? HTTPServer.Address.tcp(host: "::1", port: port).url
        default: place.url
        }
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
