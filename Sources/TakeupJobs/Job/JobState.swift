/// Where a job is in its life.
public enum JobState: String, Sendable, Codable, CaseIterable {
    case queued
    /// Waits for its time, or for another try.
    case scheduled
    case running
    case succeeded
    /// The same work had been done before.
    case cached
    case failed
    case cancelled
    /// Crashed its helper three times; nothing but `retry` runs it again.
    case quarantined

    /// Whether nothing but a user's `retry` moves the job any more.
    public var isTerminal: Bool {
        switch self {
        case .queued, .scheduled, .running: false
        case .succeeded, .cached, .failed, .cancelled, .quarantined: true
        }
    }
}
