internal import TakeupLanes
package import TakeupTelemetry

/// Counts what is asked of the cache over HTTP, and where its bytes come from.
package final class MediaFigures: Sendable {
    /// Who asks.
    enum Client: String, Sendable, CaseIterable {
        /// For a source, by a proxy address.
        case proxy
        /// For a result, by its id.
        case export
    }

    enum Result: String, Sendable, CaseIterable {
        case hit, partial, miss, error
    }

    /// What was counted since the start.
    package struct Value: Sendable, Equatable {
        fileprivate(set) var requests: [Client: [Result: Int]] = [:]
        /// Bytes for clients that the cache held when they asked.
        package fileprivate(set) var cacheBytes: Int64 = 0
        /// Bytes for clients that an origin sent for them.
        package fileprivate(set) var originBytes: Int64 = 0

        func count(_ client: Client, _ result: Result) -> Int { requests[client]?[result] ?? 0 }
    }

    private let state = Locked(Value())

    package init() {}

    package var value: Value { state.withLock { $0 } }

    func note(_ client: Client, _ result: Result) {
        state.withLock { $0.requests[client, default: [:]][result, default: 0] += 1 }
    }

    func serve(cache: Int64, origin: Int64 = 0) {
        state.withLock { state in
            state.cacheBytes += cache
            state.originBytes += origin
        }
    }

    /// Adds what was counted since the start.
    package func add(to metrics: inout Metrics) {
        let value = value
        for client in Client.allCases {
            for result in Result.allCases {
                metrics.counter(
                    "takeup_cache_requests_total", Double(value.count(client, result)),
                    "Requests over HTTP for bytes that the cache may hold.",
                    Metrics.Label("result", result.rawValue),
                    Metrics.Label("client", client.rawValue))
            }
        }
        for (source, bytes) in [("cache", value.cacheBytes), ("origin", value.originBytes)] {
            metrics.counter(
                "takeup_cache_served_bytes_total", Double(bytes),
                "Bytes for clients, by where they were when they were asked for.",
                Metrics.Label("source", source))
        }
    }
}
