internal import Foundation
internal import TakeupCache
internal import TakeupFields
internal import TakeupHTTP
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel
internal import TakeupTelemetry

/// Answers with the files of results, by their ids.
struct ResultRoute: Sendable {
    private let cache: MediaCache
    private let queue: QueueAccess
    private let figures: MediaFigures
    private let wallClock: @Sendable () -> Double
    private let now: @Sendable () -> Double
    private let log: Log
    private let keeper: LoaderKeeper
    private let sessions = ReadSessions()
    private let counting = Lane("takeup.hits")
    /// Seconds for which an answer waits for its hit to be counted.
    private static let countSeconds = 1.0

    init(_ tools: ServeTools, figures: MediaFigures) {
        (cache, wallClock, self.figures) = (tools.cache, tools.wallClock, figures)
        (now, log, queue, keeper) = (tools.now, tools.log, tools.queue, tools.desk.loaders)
    }

    func answer(_ request: RoutedRequest) -> RequestPlan {
        let http = request.http
        do throws(Refusal) {
            let isPreview = request.query.contains { $0.name == "preview" && $0.value == "true" }
            let response = try keeper.freeingFiles { () throws(Refusal) -> HTTPResponse in
                try self.response(to: http, name: request.parameter("name"), counts: !isPreview)
            }
            figures.note(.export, .hit)
            return .answer(response)
        } catch {
            figures.note(.export, error.status == 404 ? .miss : .error)
            return .answer(error.response(to: http))
        }
    }

    /// The stills of a list are no uses: they do not count.
    private func response(
        to http: HTTPRequest, name: String, counts: Bool
    ) throws(Refusal) -> HTTPResponse {
        guard let dot = name.lastIndex(of: ".") else { throw unknown(name, id: name) }
        let (id, suffix) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
        if let result = try Self.attempt({ () throws(CacheError) in try find(id) }) {
            guard Self.names(of: result).contains(suffix) else {
                throw Self.unknown(
                    name, "it has another extension: \(Self.names(of: result)[0])")
            }
            let answer = answer(result, http, name)
            guard http.method == "GET", answer.content != .nothing else {
                return answer.response { _ in .none }
            }
            if !counts { return send(result, as: answer) }
            let reader = Self.reader(of: result, http)
            if sessions.use(reader, now: now()) { _ = counted(id) }
            return send(result, as: answer, to: reader)
        }
        guard counts, http.method == "GET", let used = counted(id),
            Self.names(of: used).contains(suffix)
        else { throw unknown(name, id: id) }
        return send(used, as: answer(used, http, name), to: Self.reader(of: used, http))
    }

    /// Counts the use, or that there was none; a database that another program holds delays no answer for long.
    ///
    /// - Returns: The result; nil also where it is not known in time.
    private func counted(_ id: String) -> CachedResult? {
        let found = Locked<CachedResult?>(nil)
        let isDone = Bell()
        counting.start {
            do throws(CacheError) {
                let used = try cache.lookup(id, isReadInParts: true)
                found.withLock { $0 = used }
            } catch {
                log.record(.warning, "a use of a result is not counted: \(error)")
            }
            isDone.ring()
        }
        isDone.wait(seconds: Self.countSeconds)
        return found.withLock { $0 }
    }

    private static func reader(
        of result: CachedResult, _ http: HTTPRequest
    ) -> ReadSessions.Reader {
        ReadSessions.Reader(
            peer: http.peer, agent: http.fields["User-Agent"] ?? "", key: result.entry.key)
    }

    /// Bytes count as used where there is a reader.
    private func send(
        _ result: CachedResult, as answer: RangeAnswer, to reader: ReadSessions.Reader? = nil
    ) -> HTTPResponse {
        var response = answer.response { range in
            let part = range ?? 0..<result.file.bytes
            return .file(
                FilePart(
                    owner: result.file, descriptor: result.file.descriptor,
                    offset: part.lowerBound, count: part.upperBound - part.lowerBound))
        }
        response.whenSent = { bytes in
            figures.serve(cache: bytes)
            if let reader { count(bytes, of: result, by: reader) }
        }
        return response
    }

    private func count(_ bytes: Int64, of result: CachedResult, by reader: ReadSessions.Reader) {
        sessions.use(reader, now: now())
        do throws(CacheError) {
            try cache.countRead(bytes, of: result)
        } catch {
            log.record(.warning, "bytes that were read are not counted: \(error)")
        }
    }

    private static func attempt<Value>(
        _ body: () throws(CacheError) -> Value
    ) throws(Refusal) -> Value {
        do throws(CacheError) { return try body() } catch { throw Refusal(error) }
    }

    /// Finds a result that is good, and counts nothing.
    private func find(_ id: String) throws(CacheError) -> CachedResult? {
        guard let entry = try cache.manifest.entry(named: id),
            !entry.isExpired(now: wallClock(), expiresSeconds: cache.limits.expiresSeconds)
        else { return nil }
        let found = try cache.find(key: entry.key)
        if found == nil, try cache.manifest.entry(key: entry.key) == nil {
            log.recordDamage(of: id, sha256: entry.object.sha256)
        }
        return found
    }

    private static func names(of result: CachedResult) -> [String] {
        switch result.file.object.fileExtension {
        case .mp4: ["mp4", "m4v"]
        case .m4a: ["m4a"]
        }
    }

    /// Says of a job's id why there is no result.
    private func unknown(_ name: String, id: String) -> Refusal {
        guard let job = try? queue.job(JobID(rawValue: id)) else {
            return Self.unknown(name, "it was never here, has expired, or was removed")
        }
        return .notFound(
            "media '\(name.prefix(200))' in the cache: it is of a job \(job.noResult.reason)",
            hint: job.noResult.hint)
    }

    private static func unknown(_ name: String, _ hint: String) -> Refusal {
        .notFound("media '\(name.prefix(200))' in the cache", hint: hint)
    }

    private func answer(
        _ result: CachedResult, _ http: HTTPRequest, _ name: String
    ) -> RangeAnswer {
        let object = result.file.object
        let type = object.fileExtension == .m4a ? "audio/mp4" : "video/mp4"
        let now = wallClock()
        let representation = Representation(
            length: result.file.bytes, tag: EntityTag("\"\(object.sha256)\""),
            modified: HTTPDate(secondsSince1970: Int64(min(result.entry.createdAt, now))),
            contentType: type,
            fields: [
                ("Repr-Digest", "sha-256=:\(Self.base64(object.sha256)):"),
                ("Content-Disposition", "inline; \(DispositionName.parameters(name))"),
                ("Cache-Control", "private, no-cache"), ("Cache-Status", "Takeup; hit"),
            ] + ForeignContent.fields(type))
        return RangeAnswer(
            method: http.method, request: http.fields, of: representation,
            now: HTTPDate(secondsSince1970: Int64(now)),
            boundary: "\(http.id)-\(object.sha256.prefix(16))")
    }

    private static func base64(_ digits: String) -> String {
        let pairs = Array(digits.utf8)
        let bytes = stride(from: 0, to: pairs.count, by: 2).compactMap { index in
            UInt8(String(decoding: pairs[index..<index + 2], as: UTF8.self), radix: 16)
        }
        return Data(bytes).base64EncodedString()
    }
}

extension Log {
    /// Tells that a result is lost whose file a request has found missing or damaged.
    func recordDamage(of id: String, sha256: String?) {
        record(
            .warning, "the file of a result was missing or damaged, and is put aside",
            [LogField("result", id), LogField("sha256", sha256 ?? "")])
    }
}

extension DispositionName {
    /// Both forms of a file's name: in plain characters, and exactly.
    static func parameters(_ name: String) -> String {
        let plain = name.unicodeScalars.map { scalar in
            isPlain(scalar) ? String(Character(scalar)) : "_"
        }.joined()
        let exact = name.utf8.map { byte in
            isPlain(Unicode.Scalar(byte))
                ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
        }.joined()
        return "filename=\"\(plain)\"; filename*=UTF-8''\(exact)"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
