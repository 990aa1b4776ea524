internal import TakeupHTTP
internal import TakeupLanes
package import TakeupTelemetry

/// Counts requests for `/metrics`: by the route's pattern, never by a path.
package final class RequestFigures: Sendable {
    private struct Key: Hashable {
        let route: String
        let method: String
        let status: String
    }

    private struct State {
        var inFlight = 0
        var sentBytes: Int64 = 0
        var broken = 0
        var counts: [Key: Int] = [:]
        var seconds: [String: Histogram] = [:]
        var firstByte: [String: Histogram] = [:]
    }

    private static let secondBounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600]
    private static let firstByteBounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

    private let state = Locked(State())

    package init() {}

    /// A request has come.
    func begin() { state.withLock { $0.inFlight += 1 } }

    func end(_ exchange: ExchangeRecord, route: String?) {
        let route = route ?? "none"
        let isKnown = Router.methods.contains(exchange.request.method)
        let key = Key(
            route: route, method: isKnown ? exchange.request.method : "other",
            status: exchange.status == 0 ? "none" : "\(exchange.status / 100)xx")
        state.withLock { state in
            if exchange.wasPlanned { state.inFlight -= 1 }
            state.sentBytes += exchange.sentBytes
            if !exchange.isComplete { state.broken += 1 }
            state.counts[key, default: 0] += 1
            state.seconds[route, default: Histogram(Self.secondBounds)].add(exchange.seconds)
            state.firstByte[route, default: Histogram(Self.firstByteBounds)]
                .add(exchange.firstByteSeconds)
        }
    }

    /// Adds what was counted since the start.
    package func add(to metrics: inout Metrics) {
        let state = state.withLock { $0 }
        metrics.gauge(
            "takeup_http_requests_in_flight", Double(state.inFlight),
            "Requests whose response is not complete.")
        for (key, count) in state.counts.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
            metrics.counter(
                "takeup_http_requests_total", Double(count), "Requests that have ended.",
                Metrics.Label("route", key.route), Metrics.Label("method", key.method),
                Metrics.Label("status", key.status))
        }
        metrics.counter(
            "takeup_http_sent_bytes_total", Double(state.sentBytes),
            "Bytes of response bodies that were written to clients.")
        metrics.counter(
            "takeup_http_broken_responses_total", Double(state.broken),
            "Responses that did not come to their end.")
        for (route, histogram) in state.seconds.sorted(by: { $0.key < $1.key }) {
            metrics.histogram(
                "takeup_http_request_seconds", histogram,
                "Seconds from a request's line to the end of its response.",
                Metrics.Label("route", route))
        }
        for (route, histogram) in state.firstByte.sorted(by: { $0.key < $1.key }) {
            metrics.histogram(
                "takeup_http_first_byte_seconds", histogram,
                "Seconds from a request's line to the first byte of its response.",
                Metrics.Label("route", route))
        }
    }

    private static func order(_ key: Key) -> String { "\(key.route) \(key.method) \(key.status)" }
}
