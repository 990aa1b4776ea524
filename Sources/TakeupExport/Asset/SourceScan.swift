internal import TakeupTimeline

/// The result of reading a source's packets to the end.
struct SourceScan: Sendable, Equatable {
    var streams: [Int: StreamScan]
    var timeline: SourceTimeline
    /// Why reading stopped before the end; nil if it did not.
    var readFailure: String?
    /// Whether some packet has a time that no clock tells.
    var hasWildTimes = false
    /// Which streams run in parallel.
    var census = StreamCensus([])

    /// Reception gaps by stream: those in all streams, or with an incomplete packet next to them.
    ///
    /// A long picture or a pause in the sound is no gap.
    var holes: [Int: [SourceHole]] {
        streams.mapValues { stream in
            stream.holes.filter { hole in
                hole.isMarked
                    || streams.values.allSatisfy { other in
                        other.holes.contains { $0.overlaps(hole) }
                    }
            }
        }
    }
}
