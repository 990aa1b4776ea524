/// Sums of ticks that hostile files make too large: they stay at the end of what fits.
extension FixedWidthInteger {
    /// The sum, or the nearest number that fits.
    public func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number that fits.
    public func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
