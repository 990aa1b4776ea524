internal import TakeupTimeline

/// Computes how far back each attempt to decode a cut begins, if the previous attempt was not
/// clean.
///
/// The first entry is the last keyframe that is early enough; the next ones lie 1, 4, 16 and
/// more seconds earlier.
struct EntrySteps: Equatable {
    private let start: MediaTime
    private let tick: MediaTime
    private var margin = MediaTime.zero

    init(start: MediaTime, tick: MediaTime) {
        self.start = start
        self.tick = tick
    }

    /// Returns the latest time at which the next attempt may begin.
    ///
    /// - Parameter previous: Where the last attempt began; nil for the first.
    /// - Returns: A time before `previous`, 1, 4, 16… s before the start from the second attempt
    ///   on.
    mutating func next(after previous: MediaTime?) -> MediaTime {
        let latest = start - margin
        margin = margin == .zero ? 1 : margin + margin + margin + margin
        return previous.map { min(latest, $0 - tick) } ?? latest
    }
}
