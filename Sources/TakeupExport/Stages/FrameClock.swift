internal import TakeupTimeline

/// Gives each picture of one segment its time on the output's track.
///
/// Pure: it is told times and answers what to do.
struct FrameClock: Equatable {
    /// What becomes of a picture.
    enum Placement: Equatable {
        /// Shown from this tick of the output's track on.
        case show(at: Int64)
        /// Before the start, but perhaps still visible there: keep it until the next one.
        case hold
        /// At or behind the end: nothing more is needed.
        case past
    }

    /// Ticks a second of the output's track.
    let timescale: Int64
    /// Ticks between pictures where the source gives no time at all.
    let nominalStep: Int64
    /// How long the segment lasts, in ticks.
    let length: Int64
    /// Where the segment begins on the output's track.
    let target: Int64
    /// Whether the source may give more than its container promised.
    private let isOpenEnded: Bool
    private let gridStep: Ratio?
    /// Where the first picture lies, when the source gives no time.
    private let first: Int64
    /// How far a time may be from the grid to be counted as on it.
    private let slack: Int64

    private var last: Int64?
    /// Ticks between the newest two pictures that had times.
    private var newestStep: Int64?
    /// The newest such step that came twice in a row: pictures without a time are as far apart.
    private var evenStep: Int64?
    private var wasTimed = false
    private var origin: Int64?
    private var isHolding = false
    private(set) var hasShown = false

    /// - Parameters:
    ///   - timing: The track's plan.
    ///   - segment: Where the pictures belong.
    ///   - sourceTick: The resolution of the source's times.
    ///   - rate: Nominal frames a second, for pictures without a time.
    ///   - isTimed: Whether the source keeps times; where it keeps none, all its pictures are counted from 0.
    init(
        _ timing: FrameTimingPlan, _ segment: TrackSegment, sourceTick: MediaTime, rate: Ratio?,
        isTimed: Bool = true
    ) {
        timescale = timing.timescale
        let nominal = rate ?? Ratio(25, 1)
        nominalStep = max(1, timing.timescale * nominal.denominator / max(1, nominal.numerator))
        length = Self.bounded(segment.duration.ticks(of: 1, over: timing.timescale))
        target = Self.bounded(segment.targetStart.ticks(of: 1, over: timing.timescale))
        isOpenEnded = segment.isOpenEnded
        first =
            isTimed ? 0 : -Self.bounded(segment.sourceStart.ticks(of: 1, over: timing.timescale))
        gridStep = timing.grid.map { Ratio(timing.timescale * $0.denominator, $0.numerator) }
        let tick = sourceTick.ticks(of: 1, over: timing.timescale) + 1
        slack = min(tick, max(1, nominalStep / 4))
    }

    /// Places the next picture in order of presentation.
    ///
    /// Pictures that begin later than the sound stay as late; an empty edit says so in the file.
    ///
    /// - Parameter time: From the segment's start; nil when the source does not say.
    /// - Returns: What becomes of the picture.
    mutating func place(_ time: MediaTime?) -> Placement {
        var ticks = snapped(self.ticks(of: time))
        noteStep(to: ticks, isTimed: time != nil)
        if let last, ticks <= last { ticks = last + 1 }
        last = ticks
        if ticks < 0 {
            isHolding = true
            return .hold
        }
        if ticks >= length, !isOpenEnded, hasShown || ticks > 0 { return .past }
        hasShown = true
        return .show(at: target + ticks)
    }

    /// Whether a picture held back is still to be shown before one that came at `time`.
    ///
    /// The segment then begins with it.
    mutating func showsHeld(before time: MediaTime?) -> Bool {
        guard !hasShown, isHolding else { return false }
        let ticks = snapped(self.ticks(of: time))
        guard ticks > 0 else { return false }
        hasShown = true
        return true
    }

    private mutating func noteStep(to ticks: Int64, isTimed: Bool) {
        if let last, ticks > last, wasTimed, isTimed {
            let step = ticks - last
            if let newestStep, abs(step - newestStep) <= slack { evenStep = step }
            newestStep = step
        }
        wasTimed = isTimed
    }

    private func ticks(of time: MediaTime?) -> Int64 {
        Self.bounded(
            time?.ticks(of: 1, over: timescale) ?? last.map { $0 + (evenStep ?? nominalStep) }
                ?? first)
    }

    /// Keeps times that no real source has from exceeding what can be added up.
    private static func bounded(_ ticks: Int64) -> Int64 { min(max(ticks, -(1 << 60)), 1 << 60) }

    private mutating func snapped(_ ticks: Int64) -> Int64 {
        guard let gridStep else { return ticks }
        guard let origin else {
            origin = ticks
            return ticks
        }
        let distance = MediaTime(value: ticks - origin, timescale: 1)
        let steps = distance.ticks(of: gridStep.numerator, over: gridStep.denominator)
        let onGrid =
            origin
            + MediaTime(value: steps, timescale: gridStep.denominator)
            .ticks(of: 1, over: gridStep.numerator)
        return abs(onGrid - ticks) <= slack ? onGrid : ticks
    }
}
