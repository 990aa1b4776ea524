internal import TakeupTimeline

/// The black pictures that fill empty time at the output's frame rate.
///
/// Performs no I/O.
struct BlackPictures: Equatable {
    /// Pictures per second if the sources have no rate.
    private static let usualRate = Ratio(25, 1)
    /// Slower pictures are no moving ones.
    private static let slowest = 10.0

    /// Ticks of the output's track.
    let start: Int64
    let end: Int64
    /// Number of pictures; the last one may be shorter or longer than the others, by half a picture.
    let count: Int
    private let rate: Ratio
    private let timescale: Int64

    /// - Parameters:
    ///   - segment: The empty time.
    ///   - timing: The track's plan.
    ///   - rate: Pictures per second of the output or its first source; nil if unknown.
    init(_ segment: TrackSegment, _ timing: FrameTimingPlan, rate: Ratio?) {
        timescale = timing.timescale
        start = segment.targetStart.ticks(of: 1, over: timescale)
        end = (segment.targetStart + segment.duration).ticks(of: 1, over: timescale)
        let most = timing.maximumRate ?? .infinity
        let known = rate.flatMap { $0.doubleValue < Self.slowest ? nil : $0 } ?? Self.usualRate
        self.rate = known.doubleValue > most ? Ratio(max(1, Int64(most)), 1) : known
        // What is shorter than a tick is shown by no picture.
        let whole = segment.duration.ticks(of: self.rate.denominator, over: self.rate.numerator)
        count = end > start ? Int(max(1, whole)) : 0
    }

    /// Returns when a picture is shown and for how long, in ticks.
    func picture(_ index: Int) -> (time: Int64, duration: Int64) {
        let time = self.time(of: index)
        return (time, (index + 1 < count ? self.time(of: index + 1) : end) - time)
    }

    private func time(of index: Int) -> Int64 {
        let later = MediaTime(value: Int64(index) * rate.denominator, timescale: rate.numerator)
        return start + later.ticks(of: 1, over: timescale)
    }
}
