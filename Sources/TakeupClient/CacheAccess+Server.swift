internal import TakeupIntake
internal import TakeupModel
package import TakeupService

private struct EntryDocument: Decodable {
    var id: String
    var path: String
    var bytes: Int64
    var sha256: String?
    var preset: String?
    var source: String
    var createdAt: String?
    var expiresAt: String?
    var lastAccessAt: String?
    var hits: Int64?
    var pinned: Bool?
    var kind: String?
    var ids: [String]?
}

private struct EntriesDocument: Decodable {
    var entries: [EntryDocument]
    var next: String?
}

private struct FiguresDocument: Decodable {
    var entries: Int
    var bytes: Int64
    var hits: Int64
    var misses: Int64
    var bytesSaved: Int64
    var evictions: Int64
    var freeBytes: Int64
    var exports: Int64?
    var retries: Int64?
    var speed: Double?
    var sources: Int?
    var sourceBytes: Int64?
    var orphans: Int?
    var orphanBytes: Int64?
}

private struct EvictionDocument: Decodable {
    var id: String
    var bytes: Int64
    var reason: String
    var outcome: String
}

private struct EvictionsDocument: Decodable {
    var evictions: [EvictionDocument]
}

extension CacheAccess {
    /// The cache of a server; its entries' paths are the addresses from which they can be read.
    package init(_ client: ServerClient) {
        self.init(
            entries: { () throws(Failure) in try Self.entries(client) },
            use: { id throws(Failure) in
                var question = Self.question(id)
                question.query = [("lookup", "true")]
                return try client.find(question, as: EntryDocument.self)
                    .map { CacheEntry($0, client.server) }
            },
            answer: { job throws(Failure) in
                let question = ServerClient.Question(
                    "POST", "/v1/cache/lookup", try job.request())
                return try client.find(question, as: EntryDocument.self)
                    .map { CacheEntry($0, client.server) }
            },
            figures: { () throws(Failure) in
                CacheFigures(try client.read(.init("/v1/cache/stats"), as: FiguresDocument.self))
            },
            setPinned: { id, isPinned throws(Failure) in
                let question = Self.question(id, "POST", isPinned ? "/pin" : "/unpin")
                do throws(Failure) {
                    _ = try client.read(question, as: EntryDocument.self)
                    return true
                } catch {
                    guard error.exitCode == .inputMissing else { throw error }
                    return false
                }
            },
            remove: { id throws(Failure) in
                do throws(Failure) {
                    // Whatever stands between, such as a page that asks for a login, has a body.
                    guard try client.ask(Self.question(id, "DELETE")).status == 204 else {
                        throw Failure.unreadable("something to a removal", from: client.server)
                    }
                    return .removed
                } catch {
                    switch error.code {
                    case "notFound": return .unknown
                    case "pinned": return .pinned
                    case "inUse": return .inUse
                    default: throw error
                    }
                }
            },
            clean: { isDryRun throws(Failure) in
                let question = ServerClient.Question(
                    "POST", "/v1/cache/clean", ["dryRun": .flag(isDryRun)])
                return try client.read(question, as: EvictionsDocument.self).evictions.map {
                    Eviction(
                        id: $0.id, bytes: $0.bytes, reason: $0.reason,
                        outcome: Eviction.Outcome(rawValue: $0.outcome) ?? .kept)
                }
            },
            verify: { () throws(Failure) in
                throw Failure(
                    exitCode: .usage, code: "notForServers", stage: "request",
                    message: "a server does not check its cache on request",
                    hint: "do that on its machine")
            })
    }

    /// Page by page.
    private static func entries(_ client: ServerClient) throws(Failure) -> [CacheEntry] {
        var found: [CacheEntry] = []
        var question = ServerClient.Question("/v1/cache")
        var next: String?
        var known: Set<String> = []
        repeat {
            question.query = [("limit", "1000")] + (next.map { [("after", $0)] } ?? [])
            let page = try client.read(question, as: EntriesDocument.self)
            found += page.entries.map { CacheEntry($0, client.server) }
            next = page.next
            guard next.map({ known.insert($0).inserted }) ?? true else {
                throw Failure.unreadable("the same page again", from: client.server)
            }
        } while next != nil
        return found
    }

    private static func question(
        _ id: String, _ method: String = "GET", _ rest: String = ""
    ) -> ServerClient.Question {
        .init(method, "/v1/cache/\(ServerClient.encoded(id))\(rest)")
    }
}

extension CacheEntry {
    fileprivate init(_ entry: EntryDocument, _ server: ServerAddress) {
        let kind = entry.kind.flatMap(Kind.init) ?? .result
        let ending = entry.path.split(separator: "/").last?.split(separator: ".").dropFirst().last
        let place = "\(server.text)/media/\(ServerClient.encoded(entry.id)).\(ending ?? "mp4")"
        self.init(
            id: entry.id, names: entry.ids ?? [], path: kind == .result ? place : entry.path,
            bytes: entry.bytes, sha256: entry.sha256, preset: entry.preset, source: entry.source,
            createdAt: entry.createdAt.flatMap(PointInTime.seconds) ?? 0,
            expiresAt: entry.expiresAt.flatMap(PointInTime.seconds),
            lastAccessAt: entry.lastAccessAt.flatMap(PointInTime.seconds) ?? 0,
            hits: entry.hits ?? 0, isPinned: entry.pinned ?? false, kind: kind)
    }
}

extension CacheFigures {
    fileprivate init(_ figures: FiguresDocument) {
        self.init(
            entries: figures.entries, bytes: figures.bytes, hits: figures.hits,
            misses: figures.misses, bytesSaved: figures.bytesSaved, evictions: figures.evictions,
            exports: figures.exports ?? 0, retries: figures.retries ?? 0, speed: figures.speed,
            freeBytes: figures.freeBytes, sources: figures.sources ?? 0,
            sourceBytes: figures.sourceBytes ?? 0, orphans: figures.orphans ?? 0,
            orphanBytes: figures.orphanBytes ?? 0)
    }
}
