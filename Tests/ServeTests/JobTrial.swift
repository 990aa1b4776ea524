import Foundation
import TakeupCache
import TakeupDaemon
import TakeupFetch
import TakeupHTTP
import TakeupJobs
import TakeupLanes
import TakeupMediaClient
import TakeupModel
import TakeupService
import TakeupTelemetry
import TakeupWorker
import TestSupport

@testable import TakeupServe

/// A server with a home, a cache and an allowed folder of its own, over real connections.
final class JobTrial {
    let directory: TemporaryDirectory
    let places: StatePlaces
    let store: SQLJobStore
    let allowed: String
    var settings = ServeSettings()
    private(set) var tools: ServeTools
    private(set) var application: ServeApplication
    private var server: HTTPServer
    /// Added to the clock of the server.
    let clockOffset: Locked<Double>

    init(
        uploadBytes: Int64 = 10_000_000, presets: PresetFolder? = nil, homeIsLink: Bool = false
    ) throws {
        directory = try TemporaryDirectory()
        if homeIsLink {
            let real = directory.file("real-home")
            try FileManager.default.createDirectory(
                atPath: real, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("home"), withDestinationPath: real)
        }
        allowed = Self.real(directory.file("media"))
        try FileManager.default.createDirectory(
            atPath: allowed, withIntermediateDirectories: true)
        places = StatePlaces(home: directory.file("home"), cache: directory.file("cache"))
        store = try places.openQueue()
        settings.allowedPaths = [allowed]
        settings.uploadBytes = uploadBytes
        clockOffset = Locked(0)
        (tools, application, server) = try Self.open(
            places, store, settings, presets, clockOffset)
    }

    deinit {
        server.stop(graceSeconds: 0)
        application.stop()
    }

    /// Ends the server and begins another one on the same home.
    func restart() throws {
        server.stop(graceSeconds: 0)
        application.stop()
        (tools, application, server) = try Self.open(
            places, store, settings, tools.presetFolder, clockOffset)
    }

    private static func real(_ path: String) -> String {
        let folder = URL(filePath: path).deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appending(path: URL(filePath: path).lastPathComponent).path
    }

    private static func open(
        _ places: StatePlaces, _ store: SQLJobStore, _ settings: ServeSettings,
        _ presets: PresetFolder?, _ offset: Locked<Double>
    ) throws -> (ServeTools, ServeApplication, HTTPServer) {
        var helper = HelperConfiguration.foreground
        helper.executable = try BuiltProduct.path(of: "takeup-media")
        let tools = ServeTools(
            places: places, queue: QueueAccess(store) { Failure($0) },
            cache: try places.openCache(CacheLimits(minFreeBytes: 0)),
            sources: SourceLibrary(
                store: try SourceStore(cacheFolder: places.cache, clock: WallClock.now),
                settings: FetchSettings(
                    addressPolicy: AddressPolicy(ports: nil, permitsPlainHTTP: true))),
            worker: nil, settings: settings, presetFolder: presets, helper: helper,
            log: .silent, wallClock: { WallClock.now() + offset.withLock { $0 } },
            now: { ProcessInfo.processInfo.systemUptime })
        let address = HTTPServer.Address.tcp(host: "127.0.0.1", port: 0)
        let application = try ServeApplication(tools, AccessRules(listeners: [address]))
        return (tools, application, try HTTPServer(address, handler: application))
    }

    func routes() throws -> [Route] { try Self.routes(tools) }

    static func routes(_ tools: ServeTools) throws -> [Route] {
        ServeApplication.routes(tools, try MediaRoutes(tools), PreloadRoutes(tools))
    }

    var port: UInt16 {
        if case .tcp(_, let port) = server.address { port } else { 0 }
    }

    /// A file in the allowed folder.
    func file(_ name: String, _ text: String = "x") throws -> String {
        let path = "\(allowed)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// A clip in the allowed folder.
    func clip(_ name: String = "clip.mp4") throws -> String {
        let path = "\(allowed)/\(name)"
        try FileManager.default.copyItem(atPath: try Clip.base(seconds: 1).path, toPath: path)
        return path
    }

    /// A worker on the same queue and cache.
    func worker() throws -> Worker {
        var configuration = WorkerConfiguration(stateFolder: places.home, lanes: 1)
        configuration.helper.executable = try BuiltProduct.path(of: "takeup-media")
        configuration.helper.stallSeconds = 3600
        configuration.idleSeconds = 0.02
        return try places.openWorker(
            configuration, limits: CacheLimits(minFreeBytes: 0), log: .silent)
    }

    /// Runs a worker while `body` does.
    func working<Value>(_ body: () throws -> Value) async throws -> Value {
        let worker = try worker()
        worker.start()
        let result = Result { try body() }
        worker.stop()
        await worker.finished()
        return try result.get()
    }

    // MARK: - Asking

    func ask(
        _ method: String, _ target: String, _ body: String? = nil,
        _ fields: [(String, String)] = []
    ) throws -> JobReply {
        var fields = fields
        if let body, !fields.contains(where: { $0.0 == "Content-Type" }), !body.isEmpty {
            fields.append(("Content-Type", "application/json"))
        }
        return try ask(method, target, bytes: body.map { Array($0.utf8) }, fields)
    }

    func ask(
        _ method: String, _ target: String, bytes: [UInt8]?, _ fields: [(String, String)] = []
    ) throws -> JobReply {
        let connection = try JobConnection(port: port)
        connection.send(method, target, fields, length: bytes?.count)
        connection.send(bytes ?? [])
        return try connection.reply(hasBody: method != "HEAD")
    }
}
