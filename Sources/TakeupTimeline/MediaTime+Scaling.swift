extension MediaTime {
    /// Returns this time multiplied by the ratio of two others.
    ///
    /// - Parameters:
    ///   - factor: The ratio's upper term.
    ///   - divisor: The ratio's lower term, not 0.
    /// - Returns: The exact time where its terms fit; else the nearest microsecond.
    public func scaled(by factor: MediaTime, over divisor: MediaTime) -> MediaTime {
        precondition(divisor != .zero, "a ratio needs a lower term")
        guard factor != divisor else { return self }
        let ratio = Self.lowest(
            Int128(factor.value) * Int128(divisor.timescale),
            Int128(factor.timescale) * Int128(divisor.value))
        // Common factors go first, so that the products stay small.
        let (top, under) = Self.lowest(Int128(value), ratio.bottom)
        let (over, bottom) = Self.lowest(ratio.top, Int128(timescale))
        let (numerator, isHigh) = top.multipliedReportingOverflow(by: over)
        let (denominator, isLow) = under.multipliedReportingOverflow(by: bottom)
        guard !isHigh, !isLow else {
            return MediaTime(seconds: seconds * factor.seconds / divisor.seconds)
        }
        return MediaTime(wide: numerator, over: denominator)
    }

    private static func lowest(_ top: Int128, _ bottom: Int128) -> (top: Int128, bottom: Int128) {
        var (larger, smaller) = (top.magnitude, bottom.magnitude)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        guard larger > 1 else { return (top, bottom) }
        return (top / Int128(larger), bottom / Int128(larger))
    }

    /// Computes how long this much of a source lasts at a speed.
    ///
    /// - Parameter speed: More than 0; nil for the source's own speed.
    /// - Returns: The exact time where its terms fit.
    public func shown(at speed: Ratio?) -> MediaTime {
        guard let speed else { return self }
        return scaled(
            by: MediaTime(value: speed.denominator, timescale: 1),
            over: MediaTime(value: speed.numerator, timescale: 1))
    }

    /// Computes how much of a source this much time takes at a speed.
    ///
    /// - Parameter speed: More than 0; nil for the source's own speed.
    /// - Returns: The exact time where its terms fit.
    public func taken(at speed: Ratio?) -> MediaTime {
        guard let speed else { return self }
        return scaled(
            by: MediaTime(value: speed.numerator, timescale: 1),
            over: MediaTime(value: speed.denominator, timescale: 1))
    }
}
