import TakeupTimeline

/// Times as people read them.
enum ClockText {
    /// Whole seconds as `0:07`, `12:34`, `1:02:03`.
    static func coarse(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 360_000_000 else { return "-:--" }
        let whole = Int(seconds.rounded(.up))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        guard hours > 0 else { return "\(minutes):\(padded(rest))" }
        return "\(hours):\(padded(minutes)):\(padded(rest))"
    }

    /// A media time to the millisecond, as `0:07.250`.
    static func exact(_ time: MediaTime) -> String {
        let milliseconds = time.ticks(of: 1, over: 1000)
        let seconds = milliseconds.magnitude / 1000
        let clock = coarse(Double(seconds))
        let sign = milliseconds < 0 ? "-" : ""
        let fraction = String(milliseconds.magnitude % 1000)
        return "\(sign)\(clock)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
