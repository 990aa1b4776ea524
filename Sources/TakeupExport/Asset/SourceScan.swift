internal import TakeupTimeline

/// What reading a source's packets to the end found.
struct SourceScan: Sendable, Equatable {
    var streams: [Int: StreamScan]
    var timeline: SourceTimeline
    /// Why reading stopped before the end; nil when it did not.
    var readFailure: String?
}
