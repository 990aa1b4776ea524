internal import CTakeupFFmpeg
public import TakeupTimeline

/// The length of one tick of a stream's timestamps.
public struct TimeBase: Sendable, Hashable {
    public let numerator: Int32
    public let denominator: Int32

    /// Creates a time base with ticks of `numerator / denominator` seconds.
    ///
    /// - Precondition: Both are at least 1.
    public init(_ numerator: Int32, _ denominator: Int32) {
        precondition(numerator > 0 && denominator > 0, "a tick lasts longer than nothing")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Falls back to microseconds if a container gives an invalid time base.
    init(_ rational: AVRational) {
        if rational.num > 0, rational.den > 0 {
            self.init(rational.num, rational.den)
        } else {
            self.init(1, 1_000_000)
        }
    }

    var rational: AVRational { AVRational(num: numerator, den: denominator) }

    public var ratio: Ratio { Ratio(Int64(numerator), Int64(denominator)) }

    /// The length of one tick.
    public var tick: MediaTime {
        MediaTime(value: Int64(numerator), timescale: Int64(denominator))
    }

    public func time(_ ticks: Int64) -> MediaTime {
        MediaTime(value: ticks, timescale: 1).scaled(by: self)
    }

    /// Returns the tick nearest to a time.
    public func ticks(_ time: MediaTime) -> Int64 {
        time.ticks(of: Int64(numerator), over: Int64(denominator))
    }

    /// Returns the last tick that is no later than a time.
    public func lastTick(noLaterThan time: MediaTime) -> Int64 {
        let nearest = ticks(time)
        return self.time(nearest) > time ? nearest - 1 : nearest
    }

    /// Converts ticks of another time base to the nearest tick of this one.
    public func rescale(_ ticks: Int64, from other: TimeBase) -> Int64 {
        av_rescale_q(ticks, other.rational, rational)
    }
}

extension MediaTime {
    fileprivate func scaled(by base: TimeBase) -> MediaTime {
        let (product, overflow) = value.multipliedReportingOverflow(by: Int64(base.numerator))
        guard !overflow else {
            return MediaTime(
                seconds: Double(value) * Double(base.numerator) / Double(base.denominator))
        }
        return MediaTime(value: product, timescale: Int64(base.denominator))
    }
}
