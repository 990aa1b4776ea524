internal import TakeupTimeline

/// Keeps the sound of one segment to its exact length on the output's track, to the sample.
///
/// Performs no I/O: the caller supplies counts and acts on the answers. All counts are samples per
/// channel at the output's rate.
struct SoundSeam: Equatable {
    /// How much longer sound must be fed than it lasts, so that changed speeds lose none of its end.
    private static let window = MediaTime(value: 1, timescale: 4)

    private let segment: TrackSegment
    private let sampleRate: Int64
    /// Position on the track where the segment ends; nil while only its source tells.
    private var end: Int64?

    init(_ segment: TrackSegment, sampleRate: Int) {
        self.segment = segment
        self.sampleRate = Int64(sampleRate)
        if !segment.isOpenEnded { end = position(after: segment.duration) }
    }

    private func position(after time: MediaTime) -> Int64 {
        (segment.targetStart + time).ticks(of: 1, over: sampleRate)
    }

    /// Returns how many of the next samples belong to the segment.
    func keep(_ count: Int, at position: Int64) -> Int {
        guard let end else { return count }
        return Int(min(Int64(count), max(0, end - position)))
    }

    /// Ends the segment.
    ///
    /// - Parameter placed: How much of the source's sound was placed.
    mutating func close(after placed: MediaTime) {
        guard !segment.isEmpty, !segment.mustFill else { return }
        let last = position(after: placed.shown(at: segment.speed))
        end = end.map { min($0, last) } ?? last
    }

    /// Returns how much silence is missing at the segment's end.
    func missing(at position: Int64) -> Int { Int(max(0, (end ?? position) - position)) }

    /// How much silence of the source to feed behind its sound.
    var tail: MediaTime {
        segment.speed == nil ? .zero : Self.window + Self.window.taken(at: segment.speed)
    }
}
