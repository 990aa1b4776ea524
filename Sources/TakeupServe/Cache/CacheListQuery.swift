internal import TakeupHTTP
internal import TakeupModel
internal import TakeupService

/// A page of the cache's list, the newest first.
struct CacheListQuery {
    static let names = ["kind", "preset", "source", "pinned", "limit", "after"]
    private static let standardLimit = 100
    static let mostLimit = 1000

    private let kind: CacheEntry.Kind?
    private let preset: String?
    private let source: String?
    private let isPinned: Bool?
    private let limit: Int
    private let after: Cursor?
    private let request: RoutedRequest

    /// A place in the list, which stays where it is whatever comes or goes.
    struct Cursor: Comparable, CustomStringConvertible {
        let createdAt: Double
        let id: String

        init(_ entry: CacheEntry) { (createdAt, id) = (entry.createdAt, entry.id) }

        /// - Returns: nil for what `description` has not written.
        init?(_ text: String) {
            let parts = text.split(separator: "-", maxSplits: 1)
            guard parts.count == 2, let bits = UInt64(parts[0], radix: 16) else { return nil }
            (createdAt, id) = (Double(bitPattern: bits), String(parts[1]))
            guard createdAt.isFinite else { return nil }
        }

        static func < (left: Self, right: Self) -> Bool {
            left.createdAt != right.createdAt
                ? left.createdAt > right.createdAt : left.id < right.id
        }

        var description: String { "\(String(createdAt.bitPattern, radix: 16))-\(id)" }
    }

    init(_ request: RoutedRequest) throws(Refusal) {
        let query = try QueryReader(request, known: Self.names)
        kind = try query.parsed("kind", as: "result, source or partialSource") {
            CacheEntry.Kind(rawValue: $0)
        }
        (preset, source) = (query.text("preset"), query.text("source"))
        isPinned = try query.flag("pinned")
        limit = try query.integer("limit", in: 1...Self.mostLimit) ?? Self.standardLimit
        after = try query.parsed("after", as: "a cursor that an earlier page has told") {
            Cursor($0)
        }
        self.request = request
    }

    func response(_ entries: [CacheEntry], _ uploads: UploadPaths) -> HTTPResponse {
        let found = entries.filter { includes($0, uploads) }.sorted { Cursor($0) < Cursor($1) }
        let rest = found.drop { entry in after.map { !($0 < Cursor(entry)) } ?? false }
        let page = rest.prefix(limit)
        let next = rest.count > page.count ? page.last.map(Cursor.init) : nil
        var response = HTTPResponse.json([
            "entries": .list(page.map { uploads.shown($0.json) }),
            "next": .text(optional: next.map { "\($0)" }),
        ])
        if let next { response.fields.add("Link", link(to: next)) }
        return response
    }

    private func link(to next: Cursor) -> String {
        let kept = request.query.filter { $0.name != "after" }
            .map { "\(PathText.encoded($0.name))=\(PathText.encoded($0.value))" }
        let query = (kept + ["after=\(PathText.encoded("\(next)"))"]).joined(separator: "&")
        return "<\(request.http.path)?\(query)>; rel=\"next\""
    }

    private func includes(_ entry: CacheEntry, _ uploads: UploadPaths) -> Bool {
        kind.map { $0 == entry.kind } ?? true
            && preset.map { $0 == entry.preset } ?? true
            && source.map { uploads.shown(entry.source).contains($0) } ?? true
            && isPinned.map { $0 == entry.isPinned } ?? true
    }
}
