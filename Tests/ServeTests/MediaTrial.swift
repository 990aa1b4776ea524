import Foundation
import TakeupCache
import TakeupDaemon
import TakeupDigest
import TakeupFetch
import TakeupFiles
import TakeupHTTP
import TakeupJobs
import TakeupLanes
import TakeupModel
import TakeupService
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupServe

/// A server of media, an origin before it, and curl behind it.
final class MediaTrial {
    let folder: TemporaryDirectory
    let origin: TestOrigin
    let tools: ServeTools
    let media: MediaRoutes
    /// Of the sessions with the origin.
    let logs: Locked<[SessionLog]>
    let server: HTTPServer
    /// What the server has logged.
    let notes = Locked<[String]>([])

    init(
        settings: ServeSettings = ServeSettings(),
        _ change: (inout FetchSettings) -> Void = { _ in }
    ) throws {
        folder = try TemporaryDirectory()
        origin = try TestOrigin()
        let logs = Locked<[SessionLog]>([])
        self.logs = logs
        var fetching = FetchSettings(
            addressPolicy: AddressPolicy(
                permitted: [try #require(NetworkPrefix("127.0.0.0/8"))], ports: nil,
                permitsPlainHTTP: true))
        fetching.retry = OriginRetryPolicy(firstSeconds: 0.001, longestSeconds: 0.002)
        change(&fetching)
        let places = StatePlaces(home: folder.file("home"), cache: folder.file("cache"))
        let library = SourceLibrary(
            store: try SourceStore(path: folder.file("sources")) { Date().timeIntervalSince1970 },
            settings: fetching
        ) { log in logs.withLock { $0.append(log) } }
        tools = ServeTools(
            places: places, queue: QueueAccess(try places.openQueue()) { Failure($0) },
            cache: try places.openCache(CacheLimits(minFreeBytes: 0)), sources: library,
            worker: nil, settings: settings,
            log: Log(threshold: .info) { [notes] note in notes.withLock { $0.append(note.text) } },
            wallClock: { Date().timeIntervalSince1970 },
            now: { ProcessInfo.processInfo.systemUptime })
        media = try MediaRoutes(tools)
        let address = HTTPServer.Address.tcp(host: "127.0.0.1", port: 0)
        server = try HTTPServer(
            address,
            handler: RoutedHandler(
                media.routes + CacheRoutes(tools).routes,
                access: AccessGuard(
                    AccessRules(listeners: [address]), log: .silent, now: tools.now),
                log: .silent, figures: RequestFigures()))
    }

    deinit {
        server.stop(graceSeconds: 0)
        tools.sources.close()
        origin.stop()
    }

    var base: String {
        if case .tcp(_, let port) = server.address { "http://127.0.0.1:\(port)" } else { "" }
    }

    /// Ends all sessions and returns what they did.
    func endedLogs() -> [SessionLog] {
        tools.sources.close()
        return logs.withLock { $0 }
    }

    // MARK: - Asking

    /// Has an address signed by the server.
    func sign(_ json: String) throws -> CurlReply {
        try curl(
            "\(base)/v1/proxy", "-X", "POST", "-H", "Content-Type: application/json",
            "--data-binary", json)
    }

    func proxied(_ url: String, headers: [String] = []) throws -> String {
        let names = headers.map { "\"\($0)\"" }.joined(separator: ",")
        let reply = try sign(#"{"url": "\#(url)", "headers": [\#(names)]}"#)
        let json = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
        return try #require(json?["url"] as? String)
    }

    /// Puts synthetic bytes at the origin, and signs their address.
    func object(
        _ path: String = "/a.mp4", length: Int64, faults: OriginFaults = .init()
    ) throws -> (url: String, bytes: [UInt8]) {
        let content = OriginContent.synthetic(length: length)
        origin.serve(path, OriginObject(content, faults: faults))
        return (try proxied(origin.url(path)), try content.read(0..<length))
    }

    func curl(_ url: String, _ arguments: String...) throws -> CurlReply {
        let name = folder.file(UUID().uuidString)
        let outcome = try Subprocess.run(
            "curl",
            ["-s", "-g", "--max-time", "120", "-D", "\(name).head", "-o", name] + arguments
                + [url])
        return CurlReply(outcome, head: "\(name).head", body: name)
    }

    func range(_ url: String, _ range: Range<Int64>) throws -> CurlReply {
        try curl(url, "-r", "\(range.lowerBound)-\(range.upperBound - 1)")
    }

    // MARK: - Results

    /// Puts a result into the cache.
    @discardableResult
    func result(
        _ bytes: [UInt8], as name: String, kind: ObjectName.FileExtension = .mp4,
        expiresAt: Double? = nil
    ) throws -> ManifestEntry {
        try tools.cache.add(bytes, as: name, kind: kind, expiresAt: expiresAt)
    }
}

extension MediaCache {
    /// Puts a result into the cache.
    @discardableResult
    func add(
        _ bytes: [UInt8], as name: String, kind: ObjectName.FileExtension = .mp4,
        expiresAt: Double? = nil
    ) throws -> ManifestEntry {
        let staged = try objects.stage()
        try staged.write(bytes)
        let digest = try #require(try SHA256Digest.ofFile(staged.descriptor) { false })
        let object = try #require(ObjectName(sha256: digest, fileExtension: kind))
        let file = try place(staged, as: object)
        var entry = ManifestEntry(
            key: SHA256Digest.of(name), object: object, bytes: file.bytes,
            createdAt: 1_700_000_000)
        entry.expiresAt = expiresAt
        return try #require(try record(entry, file: file, alias: name, if: { _ in true }))
    }
}

/// What curl got.
struct CurlReply {
    /// Of curl itself: 18 for a body that breaks off.
    let exitCode: Int32?
    let status: Int
    /// By lower-case names.
    let fields: [String: String]
    let body: [UInt8]

    init(_ outcome: Subprocess.Outcome, head: String, body: String) {
        exitCode = outcome.exitCode
        self.body = (FileManager.default.contents(atPath: body)).map { Array($0) } ?? []
        let text = FileManager.default.contents(atPath: head) ?? Data()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            fields[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
        }
        self.fields = fields
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of a problem.
    var code: String? {
        let json = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return json?["code"] as? String
    }
}
