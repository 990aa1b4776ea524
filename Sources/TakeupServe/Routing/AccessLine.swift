internal import TakeupHTTP
internal import TakeupTelemetry

/// What the log tells of an exchange; no secret of an address is in it.
enum AccessLine {
    /// Of a path that no route has, which may be anything.
    private static let longestUnknown = 80
    /// A longer part of such a path may be a signed address.
    private static let longestPart = 40

    static func fields(
        _ exchange: ExchangeRecord, _ pattern: String?, caller: String
    ) -> [LogField] {
        let request = exchange.request
        var fields = [
            LogField("id", request.id),
            LogField("peer", request.peer.isEmpty ? "local" : request.peer),
            LogField("method", String(request.method.prefix(16))),
            LogField("target", target(request, pattern)), LogField("status", exchange.status),
            LogField("received", exchange.receivedBytes), LogField("sent", exchange.sentBytes),
            LogField("seconds", exchange.seconds),
            LogField("firstByte", exchange.firstByteSeconds),
        ]
        if !exchange.isComplete { fields.append(LogField("broken", 1)) }
        if !caller.isEmpty { fields.append(LogField("caller", String(caller.prefix(8)))) }
        if let cache = exchange.responseFields["Cache-Status"] {
            fields.append(LogField("cache", cache))
        }
        return fields
    }

    /// The path up to what may hold a signed address, and the names of the query without their values.
    static func target(_ request: HTTPRequest, _ pattern: String?) -> String {
        guard let pattern else {
            let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
            // However it is misspelled, a proxied address is a secret.
            var shown = parts.prefix { $0.utf8.count <= longestPart }
            if let proxy = shown.firstIndex(where: { $0.lowercased() == "p" }) {
                shown = shown.prefix(through: proxy)
            }
            let path = shown.joined(separator: "/").prefix(longestUnknown)
            return shown.count < parts.count ? path + "/..." : String(path)
        }
        var path = request.path
        if let rest = RoutePattern(pattern).restIndex {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            path = parts.prefix(rest + 1).joined(separator: "/") + "/..."
        }
        guard let query = request.query, let pairs = PercentText.query(query), !pairs.isEmpty else {
            return path
        }
        return path + "?" + pairs.map(\.name).joined(separator: "&")
    }
}

extension RoutePattern {
    /// Where the segments begin that may be anything.
    fileprivate var restIndex: Int? {
        segments.firstIndex { if case .rest = $0 { true } else { false } }
    }
}
