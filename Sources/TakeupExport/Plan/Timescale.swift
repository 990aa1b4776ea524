internal import TakeupTimeline

/// Ticks per second of an output track, chosen to keep times exact.
enum Timescale {
    /// Lowest timescale, so that a tick is far shorter than a frame.
    private static let least: Int64 = 10_000
    private static let most: Int64 = 1_000_000
    /// The clock of MPEG systems; most frame rates divide it.
    private static let fallback: Int64 = 90_000

    /// Returns a timescale with whole ticks for every frame of a constant rate.
    static func of(rate: Ratio) -> Int64 {
        raised(rate.numerator)
    }

    /// Returns a timescale with whole ticks for every tick of a source.
    static func of(timeBase: Ratio) -> Int64 {
        timeBase.numerator == 1 ? raised(timeBase.denominator) : fallback
    }

    /// Returns a timescale with whole ticks for every tick of several scales, if possible.
    static func common(_ scales: [Int64]) -> Int64 {
        var result: Int64 = 1
        for scale in scales {
            let (product, overflow) = (result / greatestCommonDivisor(result, scale))
                .multipliedReportingOverflow(by: scale)
            guard !overflow, product <= most else { return fallback }
            result = product
        }
        return raised(result)
    }

    private static func raised(_ value: Int64) -> Int64 {
        guard value > 0, value <= most else { return fallback }
        var scale = value
        while scale < least { scale *= 2 }
        return scale
    }

    private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
        var (larger, smaller) = (first, second)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        return max(1, larger)
    }
}
