internal import TakeupTimeline

/// Whether each packet of sound begins where the one before it ends.
struct SoundContinuity: Sendable, Equatable {
    /// What Matroska's whole milliseconds and a clock's rounding may differ by.
    private static let jitter = MediaTime(value: 3, timescale: 1000)

    /// Why a copy of sound that is not continuous is wrong.
    static let reason = "it has gaps, which only an encoder fills with silence"

    private(set) var isKept = true
    private var end: MediaTime?
    /// Start of a first packet whose length the demuxer does not know: it lasts no longer than the second.
    private var unknownFirst: MediaTime?

    /// Takes in the next packet; only the first one may come without a length (`end` at `start`).
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
