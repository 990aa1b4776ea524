/// An exact time or duration: a rational number of seconds.
///
/// The fraction is always in lowest terms with a positive denominator, so that equal times are
/// equal values. A result that does not fit 64-bit terms is rounded to the nearest nanosecond, then
/// clamped.
public struct MediaTime: Sendable, Hashable {
    public static let zero = MediaTime(value: 0, timescale: 1)

    /// Numerator, in units of `1 / timescale` seconds.
    public let value: Int64
    /// Units per second, at least 1.
    public let timescale: Int64

    /// Creates a time of `value / timescale` seconds.
    ///
    /// - Precondition: `timescale` is not 0.
    public init(value: Int64, timescale: Int64) {
        precondition(timescale != 0, "a time needs a timescale")
        guard timescale > 0, value != .min else {
            self.init(wide: Int128(value), over: Int128(timescale))
            return
        }
        let divisor = Self.greatestCommonDivisor(abs(value), timescale)
        self.init(lowest: value / divisor, timescale / divisor)
    }

    private init(lowest value: Int64, _ timescale: Int64) {
        self.value = value
        self.timescale = timescale
    }

    /// Creates a time of whole seconds.
    public init(seconds: Int64) {
        self.init(value: seconds, timescale: 1)
    }

    /// Creates a time rounded to the nearest microsecond; a non-finite value becomes 0.
    public init(seconds: Double) {
        guard seconds.isFinite else {
            self = .zero
            return
        }
        let micros = (seconds * 1_000_000).rounded()
        let limit = 9.0e18
        self.init(value: Int64(min(max(micros, -limit), limit)), timescale: 1_000_000)
    }

    init(wide numerator: Int128, over denominator: Int128) {
        let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        let sign: Int128 = denominator < 0 ? -1 : 1
        let (top, bottom) = (
            sign * numerator / Int128(divisor), sign * denominator / Int128(divisor)
        )
        if let top = Int64(exactly: top), let bottom = Int64(exactly: bottom) {
            self.init(lowest: top, bottom)
            return
        }
        let scale: Int64 = 1_000_000_000
        let nanoseconds = Int64(
            clamping: Self.rounded(top, over: bottom, scale: Int128(scale)))
        let common = Int64(Self.greatestCommonDivisor(nanoseconds.magnitude, scale.magnitude))
        self.init(lowest: nanoseconds / common, scale / common)
    }

    public var seconds: Double { Double(value) / Double(timescale) }

    /// Returns the nearest whole number of ticks of `numerator / denominator` seconds; ties round
    /// away from zero.
    public func ticks(of numerator: Int64, over denominator: Int64) -> Int64 {
        precondition(numerator > 0 && denominator > 0, "a tick lasts longer than nothing")
        let top = Int128(value) * Int128(denominator)
        let bottom = Int128(timescale) * Int128(numerator)
        return Int64(clamping: Self.divideRounding(top, bottom))
    }

    private static func rounded(_ top: Int128, over bottom: Int128, scale: Int128) -> Int128 {
        let whole = top / bottom
        let rest = top % bottom
        let (product, overflow) = rest.multipliedReportingOverflow(by: scale)
        let fraction =
            overflow
            ? divideRounding(rest, bottom / scale) : divideRounding(product, bottom)
        let (scaled, tooLarge) = whole.multipliedReportingOverflow(by: scale)
        return tooLarge ? (top < 0 ? Int128.min : Int128.max) : scaled + fraction
    }

    private static func divideRounding(_ top: Int128, _ bottom: Int128) -> Int128 {
        let half = bottom / 2
        return top >= 0 ? (top + half) / bottom : (top - half) / bottom
    }

    private static func greatestCommonDivisor<Number: BinaryInteger>(
        _ first: Number, _ second: Number
    ) -> Number {
        var (larger, smaller) = (first, second)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger == 0 ? 1 : larger
    }
}

extension MediaTime: Comparable {
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        Int128(left.value) * Int128(right.timescale) < Int128(right.value) * Int128(left.timescale)
    }
}

extension MediaTime: AdditiveArithmetic {
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        if left.timescale == right.timescale {
            let (sum, overflow) = left.value.addingReportingOverflow(right.value)
            if !overflow { return MediaTime(value: sum, timescale: left.timescale) }
        }
        let top =
            Int128(left.value) * Int128(right.timescale)
            + Int128(right.value) * Int128(left.timescale)
        return MediaTime(wide: top, over: Int128(left.timescale) * Int128(right.timescale))
    }

    public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
        if left.timescale == right.timescale {
            let (rest, overflow) = left.value.subtractingReportingOverflow(right.value)
            if !overflow { return MediaTime(value: rest, timescale: left.timescale) }
        }
        let top =
            Int128(left.value) * Int128(right.timescale)
            - Int128(right.value) * Int128(left.timescale)
        return MediaTime(wide: top, over: Int128(left.timescale) * Int128(right.timescale))
    }

    public static prefix func - (time: MediaTime) -> MediaTime { .zero - time }
}

extension MediaTime: CustomStringConvertible {
    /// The time in seconds with three decimals, for example `12.500 s`.
    public var description: String {
        let milliseconds = ticks(of: 1, over: 1000)
        let sign = milliseconds < 0 ? "-" : ""
        let fraction = String(milliseconds.magnitude % 1000)
        let padding = String(repeating: "0", count: 3 - fraction.count)
        return "\(sign)\(milliseconds.magnitude / 1000).\(padding)\(fraction) s"
    }
}
