internal import TakeupTimeline

/// Makes a constant frame rate by repeating and dropping pictures, or drops pictures above a rate
/// limit.
///
/// Performs no I/O: the caller supplies consecutive times and shows the pictures.
struct FrameRateRegulator: Equatable {
    /// Highest number of repeats; more mean that the next time is corrupt, so the picture is shown
    /// once.
    private static let mostRepeats: Int64 = 1_000_000

    private let timescale: Int64
    private let constantRate: Ratio?
    private let minimumStep: Int64?
    /// Times from which another part is shown: its first picture is never dropped for being near.
    private var seams: ArraySlice<Int64>
    private var nextIndex: Int64 = 0
    private var lastKept: Int64?
    private(set) var dropped = 0
    private(set) var repeated = 0

    /// - Parameters:
    ///   - timing: The track's plan.
    ///   - seams: Times at which other parts begin, in ticks and in order.
    init(_ timing: FrameTimingPlan, seams: [Int64] = []) {
        self.seams = seams[...]
        timescale = timing.timescale
        constantRate = timing.constantRate
        minimumStep = timing.maximumRate.map { Int64(Double(timing.timescale) / $0 * 0.9) }
    }

    /// Returns the times for a picture shown from `start` to `end`; empty if the picture is
    /// dropped.
    mutating func times(from start: Int64, to end: Int64) -> [Int64] {
        if let constantRate { return gridTimes(constantRate, to: end) }
        if !passesSeam(start), let minimumStep, let lastKept, start - lastKept < minimumStep {
            dropped += 1
            return []
        }
        lastKept = start
        return [start]
    }

    private mutating func passesSeam(_ time: Int64) -> Bool {
        let passed = seams.prefix { $0 <= time }.count
        seams.removeFirst(passed)
        return passed > 0
    }

    private mutating func gridTimes(_ rate: Ratio, to end: Int64) -> [Int64] {
        let last = MediaTime(value: end, timescale: timescale)
            .ticks(of: rate.denominator, over: rate.numerator)
        var times: [Int64] = []
        if last - nextIndex > Self.mostRepeats { nextIndex = last - 1 }
        while nextIndex < last {
            times.append(
                MediaTime(value: nextIndex * rate.denominator, timescale: rate.numerator)
                    .ticks(of: 1, over: timescale))
            nextIndex += 1
        }
        if times.isEmpty { dropped += 1 } else { repeated += times.count - 1 }
        return times
    }
}
