internal import TakeupFFmpeg
internal import TakeupTimeline

/// Compares a container's sample index with the existing bytes.
struct IndexCheck: Equatable {
    /// Number of entries with bytes beyond the end of the file, and their duration.
    var missing = 0
    var missingTime = MediaTime.zero
    var entries = 0
    /// Bytes of the existing samples.
    var bytes: Int64 = 0
    /// Number of samples that an edit list hides.
    var hidden = 0
    /// Whether all shown samples have the same duration.
    var isEven = true
    /// Duration of the longest sample.
    var longestStep = MediaTime.zero

    /// Reads the index of one stream.
    init(_ demuxer: Demuxer, stream: StreamDescription, byteCount: Int64?) {
        entries = demuxer.indexCount(of: stream.index)
        var previous: Int64?
        var step: Int64?
        var missingTicks: Int64 = 0
        var longest: Int64 = 0
        var first: Int64?
        for place in 0..<entries {
            guard let entry = demuxer.indexEntry(place, of: stream.index) else { continue }
            if entry.isHidden { hidden += 1 }
            first = first ?? entry.dtsTicks
            let distance = previous.map { entry.dtsTicks.subtractingClamped($0) }
            previous = entry.dtsTicks
            if let distance {
                longest = max(longest, distance)
                if let step, step != distance { isEven = false }
                step = step ?? distance
            }
            if let byteCount, entry.position.addingClamped(Int64(entry.byteCount)) > byteCount {
                missing += 1
                missingTicks = missingTicks.addingClamped(distance ?? 0)
            } else {
                bytes = bytes.addingClamped(Int64(entry.byteCount))
            }
        }
        if let first, let previous, let length = stream.durationTicks {
            longest = max(longest, length.subtractingClamped(previous.subtractingClamped(first)))
        }
        longestStep = stream.timeBase.time(longest)
        missingTime = stream.timeBase.time(missingTicks)
    }
}
