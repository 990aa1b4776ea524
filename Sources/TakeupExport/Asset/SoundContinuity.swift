internal import TakeupTimeline

/// Whether each packet of sound begins where the one before it ends.
struct SoundContinuity: Sendable, Equatable {
    /// What Matroska's whole milliseconds and a clock's rounding may differ by.
    private static let jitter = MediaTime(value: 3, timescale: 1000)

    private(set) var isKept = true
    private var end: MediaTime?

    mutating func add(from start: MediaTime, to end: MediaTime) {
        if let last = self.end {
            let distance = start > last ? start - last : last - start
            if distance > Self.jitter { isKept = false }
        }
        self.end = end
    }
}
