internal import TakeupTimeline

/// Whether each packet of sound begins where the one before it ends.
struct SoundContinuity: Sendable, Equatable {
    /// What Matroska's whole milliseconds and a clock's rounding may differ by.
    private static let jitter = MediaTime(value: 3, timescale: 1000)

    /// Why a copy of sound that is not continuous is wrong.
    static let reason = "it has gaps, which only an encoder fills with silence"

    private(set) var isKept = true
    private var end: MediaTime?
    private var isFirst = true

    /// Takes in the next packet; a demuxer may not know yet how long the first one lasts.
    mutating func add(from start: MediaTime, to end: MediaTime) {
        if let last = self.end {
            let distance = start > last ? start - last : last - start
            if distance > Self.jitter { isKept = false }
        }
        if end > start {
            self.end = end
        } else if !isFirst {
            isKept = false
        }
        isFirst = false
    }
}
