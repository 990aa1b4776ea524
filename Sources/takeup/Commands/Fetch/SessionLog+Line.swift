import TakeupFetch
import TakeupTelemetry

extension SessionLog {
    /// Tells of a session that has ended.
    func write(to log: Log) {
        log.record(
            result == "complete" || result == "partial" || kind == .prefetch ? .info : .warning,
            "fetched \(url): \(result)",
            [
                LogField("kind", kind.rawValue),
                LogField("originBytes", Int(originBytes)),
                LogField("originRequests", originRequests), LogField("retries", retries),
                LogField("deliveredBytes", Int(deliveredBytes)),
                LogField("cacheBytes", Int(cacheBytes)),
                LogField("versionChanges", versionChanges), LogField("stalls", readerStalls),
                LogField("session", sessionID),
            ])
    }
}
