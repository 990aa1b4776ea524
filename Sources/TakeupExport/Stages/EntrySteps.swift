internal import TakeupTimeline

/// How far back decoding begins, attempt by attempt, where the one before came out unclean.
///
/// Pure. The first entry is the last key packet in time, the next ones lie 1, 4, 16 and more seconds further back.
struct EntrySteps: Equatable {
    private let start: MediaTime
    private let tick: MediaTime
    private var margin = MediaTime.zero

    init(start: MediaTime, tick: MediaTime) {
        self.start = start
        self.tick = tick
    }

    /// The latest time at which the next attempt may begin.
    ///
    /// - Parameter previous: Where the last one began; nil for the first.
    /// - Returns: A time before `previous`, 1, 4, 16… s before the start from the second attempt on.
    mutating func next(after previous: MediaTime?) -> MediaTime {
        let latest = start - margin
        margin = margin == .zero ? 1 : margin + margin + margin + margin
        return previous.map { min(latest, $0 - tick) } ?? latest
    }
}
