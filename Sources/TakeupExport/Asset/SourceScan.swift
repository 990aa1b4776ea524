internal import TakeupTimeline

/// What reading a source's packets to the end found.
struct SourceScan: Sendable, Equatable {
    var streams: [Int: StreamScan]
    var timeline: SourceTimeline
    /// Why reading stopped before the end; nil when it did not.
    var readFailure: String?
    /// Which streams go on beside one another.
    var census = StreamCensus([])

    /// Holes by stream: those that all streams share, or that a packet beside them shows.
    ///
    /// A picture that lasts long, or sound that pauses, is none.
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
