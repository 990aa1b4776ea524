import TakeupFetch
import TakeupTelemetry

extension SessionLog {
    /// Tells of a session that has ended.
    func write(to log: Log) {
        log.record(
            result == "complete" || result == "partial" || kind == .prefetch ? .info : .warning,
            "fetched \(url): \(result)",
            fields)
    }
}
