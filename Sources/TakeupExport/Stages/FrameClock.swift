internal import TakeupTimeline

/// Assigns each picture of one segment its time on the output's track.
///
/// Performs no I/O: the caller supplies times and acts on the answers.
struct FrameClock: Equatable {
    /// The use of a picture.
    enum Placement: Equatable {
        /// Show the picture from this tick of the output's track on.
        case show(at: Int64)
        /// The picture starts before the segment but may still be visible there: keep it until the
        /// next one.
        case hold
        /// The picture is at or after the end; no more pictures are needed.
        case past
    }

    /// Ticks per second of the output's track.
    let timescale: Int64
    /// Ticks between pictures if the source has no times.
    let nominalStep: Int64
    /// Duration of the segment, in ticks.
    let length: Int64
    /// Start of the segment on the output's track, in ticks.
    let target: Int64
    /// Whether the source may hold more than its container promised.
    private let isOpenEnded: Bool
    private let gridStep: Ratio?
    /// How many times faster than its own the source plays.
    private let speed: Ratio?
    /// Position of the first picture if the source has no times.
    private let first: Int64
    /// How far from the grid a time may be and still count as on it.
    private let slack: Int64

    private var last: Int64?
    /// Ticks between the two newest pictures with times.
    private var newestStep: Int64?
    /// The newest interval that occurred twice in a row; used for pictures without times.
    private var evenStep: Int64?
    private var wasTimed = false
    private var origin: Int64?
    private var isHolding = false
    private(set) var hasShown = false

    /// - Parameters:
    ///   - timing: The track's plan.
    ///   - segment: The segment of the pictures.
    ///   - sourceTick: The resolution of the source's times.
    ///   - rate: Nominal frames per second, for pictures without a time.
    ///   - isTimed: Whether the source stores times; otherwise all its pictures are counted from 0.
    init(
        _ timing: FrameTimingPlan, _ segment: TrackSegment, sourceTick: MediaTime, rate: Ratio?,
        isTimed: Bool = true
    ) {
        timescale = timing.timescale
        speed = segment.speed
        let nominal = rate ?? Ratio(25, 1)
        let step = MediaTime(value: nominal.denominator, timescale: max(1, nominal.numerator))
            .shown(at: speed)
        nominalStep = max(1, Self.bounded(step.ticks(of: 1, over: timing.timescale)))
        target = Self.bounded(segment.targetStart.ticks(of: 1, over: timing.timescale))
        let end = segment.targetStart + segment.duration
        length = Self.bounded(end.ticks(of: 1, over: timing.timescale)) - target
        isOpenEnded = segment.isOpenEnded
        let before = segment.sourceStart.shown(at: speed)
        first = isTimed ? 0 : -Self.bounded(before.ticks(of: 1, over: timing.timescale))
        gridStep = timing.grid.map { Ratio(timing.timescale * $0.denominator, $0.numerator) }
        let tick = sourceTick.shown(at: speed).ticks(of: 1, over: timing.timescale) + 1
        slack = min(tick, max(1, nominalStep / 4))
    }

    /// Places the next picture in presentation order.
    ///
    /// If the pictures begin later than the sound, they stay late, with an empty edit in the file.
    ///
    /// - Parameter time: Time from the segment's start, in the source; nil if the source has none.
    /// - Returns: The use of the picture.
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

    /// Returns whether the held picture must be shown before one at `time`.
    ///
    /// The segment then begins with the held picture.
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
            time?.shown(at: speed).ticks(of: 1, over: timescale) ?? last.map {
                $0 + (evenStep ?? nominalStep)
            }
                ?? first)
    }

    /// Limits absurd times, so that sums cannot overflow.
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
