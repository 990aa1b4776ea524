internal import TakeupLanes

/// What this process has done for a source, in the live session and in those before it.
package struct SourceActivity: Sendable, Equatable {
    /// Without credentials and query.
    package var address = ""
    package var originRequests = 0
    package var originBytes: Int64 = 0
    /// Bytes that readers got and nobody fetched for them.
    package var savedBytes: Int64 = 0
    /// The last error in short form, such as `status 404`; nil after a success.
    package var lastError: String?
    /// Seconds since 1970 of the last session's end; nil before the first.
    package var endedAt: Double?
    /// The live session; nil without one.
    package var status: LoaderStatus?
    package var readers = 0
}

/// Remembers what ended sessions did, in memory; the longest ago goes first.
final class EndedSessions: Sendable {
    private static let most = 2000

    private let known = Locked<[SourceKey: SourceActivity]>([:])
    private let use = Locked(SessionTotals())

    /// Results of a session that are no errors.
    private static let quiet: Set<String> = ["complete", "partial", "passed through"]

    var all: [SourceKey: SourceActivity] { known.withLock { $0 } }

    /// Of all sessions, also of those that are forgotten.
    var total: SessionTotals { use.withLock { $0 } }

    func note(_ key: SourceKey, _ log: SessionLog) {
        use.withLock { $0.add(log) }
        known.withLock { known in
            var activity = known[key] ?? SourceActivity()
            activity.add(log)
            activity.endedAt = log.endedAt
            known[key] = activity
            guard known.count > Self.most else { return }
            let oldest = known.min { $0.value.endedAt ?? 0 < $1.value.endedAt ?? 0 }
            if let oldest { known[oldest.key] = nil }
        }
    }

    func forget(_ key: SourceKey) { known.withLock { $0[key] = nil } }

    fileprivate static func error(_ log: SessionLog) -> String? {
        quiet.contains(log.result) ? nil : log.result
    }
}

extension SourceActivity {
    fileprivate mutating func add(_ log: SessionLog) {
        address = log.url
        originRequests += log.originRequests
        originBytes += log.originBytes
        savedBytes += log.savedBytes
        // A session that only read what was there says nothing of the origin.
        if log.originRequests > 0 { lastError = EndedSessions.error(log) }
    }
}

extension SourceLibrary {
    /// What this process has done, by source.
    package var activity: [SourceKey: SourceActivity] {
        var all = ended.all
        for session in sessions where !session.isClosed {
            let key = session.file.key
            var activity = all[key] ?? SourceActivity()
            activity.add(session.currentLog)
            activity.status = session.status
            activity.readers = session.state.withLock { state in
                state.readers.values.filter { !$0.isCancelled }.count
            }
            all[key] = activity
        }
        return all
    }

    /// Forgets what ended sessions of a source did.
    package func forgetActivity(of key: SourceKey) { ended.forget(key) }
}
