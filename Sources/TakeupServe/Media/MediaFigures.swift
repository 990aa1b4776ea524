package import TakeupFetch
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
    private let sources: SourceLibrary?
    /// What was told of origins before.
    private let told = Locked(SessionTotals())

    /// - Parameter sources: Whose sessions are told, too.
    package init(_ sources: SourceLibrary? = nil) { self.sources = sources }

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
        if let sources { add(sources.sessionTotals, to: &metrics) }
    }

    private func add(_ use: SessionTotals, to metrics: inout Metrics) {
        let use = told.withLock { told in
            told.rise(to: use)
            return told
        }
        metrics.counter(
            "takeup_origin_requests_total", Double(use.requests), "Requests to origins of sources.")
        metrics.counter(
            "takeup_origin_received_bytes_total", Double(use.bytes), "Bytes that origins sent.")
        metrics.counter(
            "takeup_origin_discarded_bytes_total", Double(use.discardedBytes),
            "Bytes from origins that belonged to another version, or were wrong.")
        metrics.counter(
            "takeup_cache_coalesced_requests_total", Double(use.coalesced),
            "Readers that joined a running fetch.")
        metrics.counter(
            "takeup_cache_version_changes_total", Double(use.versionChanges),
            "Sources that changed at their origin while they were used.")
        metrics.counter(
            "takeup_download_retries_total", Double(use.retries),
            "Tries after a failure of an origin.")
        metrics.counter(
            "takeup_reader_stalls_total", Double(use.readerStalls),
            "Reads that waited for an origin for a quarter of a second or longer.")
        metrics.counter(
            "takeup_reader_stall_seconds_total", use.readerStallSeconds,
            "Seconds of those waits.")
    }
}
