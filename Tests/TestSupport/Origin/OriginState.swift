/// All that a `TestOrigin` knows: its objects, and what was asked of it.
struct OriginState {
    var sites: [String: OriginSite] = [:]
    /// Objects of paths that have none of their own.
    var fallback: (@Sendable (String) -> OriginObject?)?
    private var fallbackPaths: Set<String> = []
    var totals = OriginTotals()
    var problems: [String] = []
    var isStopping = false
    var isListening = false
    private(set) var records: [Int: OriginRecord] = [:]
    private(set) var bytesByPath: [String: Int64] = [:]
    private(set) var requestsByPath: [String: Int] = [:]
    // A soak must not fill the memory; the totals go on.
    private let recordLimit = 100_000

    /// A request was read: decides its answer and begins its record.
    mutating func begin(
        _ request: OriginRequest, connection: Int, port: UInt16, seconds: Double
    ) -> OriginBegun {
        let number = totals.requests
        let answer = decide(request, number: number, port: port)
        records[number] = OriginRecord(
            number: number, connection: connection, method: request.method, path: request.path,
            query: request.query, fields: request.fields, status: answer.status, seconds: seconds)
        records[number - recordLimit] = nil
        requestsByPath[request.path, default: 0] += 1
        totals.beginRequest()
        let site = sites[request.path] ?? OriginSite(OriginObject(.bytes([])))
        let progress = site.progress(answer, path: request.path, number: number)
        let faults = site.object.faults
        return OriginBegun(
            answer: answer, progress: progress, head: faults.head,
            bytesPerSecond: faults.bytesPerSecond)
    }

    /// What comes next for an answer under way.
    mutating func step(_ progress: inout OriginProgress, limit: Int) -> OriginStep {
        if isStopping { return .stop }
        do throws(ToolFailure) {
            let step = try sites[progress.path]?.step(&progress, limit: limit) ?? .cut(.close)
            if case .stall = step { records[progress.number]?.stalls += 1 }
            return step
        } catch {
            problems.append("\(progress.path): \(error)")
            return .cut(.close)
        }
    }

    /// Bytes of a body went out.
    mutating func sent(_ count: Int, _ progress: inout OriginProgress) {
        progress.sent += Int64(count)
        records[progress.number]?.bodyBytes += Int64(count)
        bytesByPath[progress.path, default: 0] += Int64(count)
        if progress.isInContent { sites[progress.path]?.sent(count) }
        totals.bodyBytes += Int64(count)
    }

    /// An answer is over.
    mutating func end(_ number: Int, _ ending: OriginEnding, seconds: Double) -> OriginRecord? {
        totals.endRequest()
        records[number]?.ending = ending
        records[number]?.endSeconds = seconds
        return records[number]
    }

    private mutating func decide(
        _ request: OriginRequest, number: Int, port: UInt16
    ) -> OriginAnswer {
        guard ["GET", "HEAD"].contains(request.method) else {
            var answer = OriginAnswer.fixed(405, [OriginField("Allow", "GET, HEAD")])
            answer.closes = true
            return answer
        }
        followFallback(request.path)
        do throws(ToolFailure) {
            return try sites[request.path]?.begin(request, number: number, port: port)
                ?? .fixed(404, body: Array("nothing here\n".utf8))
        } catch {
            problems.append("\(request.path): \(error)")
            return .fixed(500)
        }
    }

    /// A file may come and go under a path.
    private mutating func followFallback(_ path: String) {
        guard let fallback, sites[path] == nil || fallbackPaths.contains(path) else { return }
        guard let object = fallback(path) else {
            sites[path] = nil
            return
        }
        fallbackPaths.insert(path)
        if sites[path] == nil { sites[path] = OriginSite(object) }
    }
}
