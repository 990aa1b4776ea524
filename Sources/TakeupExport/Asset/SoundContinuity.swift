internal import TakeupTimeline

/// Checks whether each audio packet begins where the previous one ends.
struct SoundContinuity: Sendable, Equatable {
    /// Tolerance for the whole milliseconds of Matroska and for clock rounding.
    private static let jitter = MediaTime(value: 3, timescale: 1000)

    /// Why a copy of sound with gaps is wrong.
    static let reason = "it has gaps, which only an encoder fills with silence"

    private(set) var isKept = true
    private var end: MediaTime?
    /// Start of a first packet of unknown length, which lasts at most as long as the second.
    private var unknownFirst: MediaTime?

    /// Processes the next packet; only the first may have no length (`end` equal to `start`).
    mutating func add(from start: MediaTime, to end: MediaTime) {
        let length = end - start
        guard length > .zero else {
            if self.end != nil || unknownFirst != nil { isKept = false }
            unknownFirst = start
            return
        }
        if let last = self.end {
            let distance = start > last ? start - last : last - start
            if distance > Self.jitter { isKept = false }
        } else if let first = unknownFirst, start - (first + length) > Self.jitter {
            isKept = false
        }
        self.end = end
    }
}
