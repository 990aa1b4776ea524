internal import Foundation

/// Points in time, from seconds since 1970.
package enum Timestamp {
    /// In UTC to the second, such as `2026-05-04T03:02:01Z`; nil for what no calendar holds.
    package static func iso(_ seconds: Double) -> String? {
        guard seconds >= 0, seconds < 253_402_300_800 else { return nil }
        var time = time_t(seconds.rounded(.down))
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return nil }
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Int.init)
        return date.map(padded).joined(separator: "-") + "T"
            + clock.map(padded).joined(separator: ":") + "Z"
    }

    /// How long ago or ahead, such as `5 min ago` or `in 3 h`.
    package static func relative(_ seconds: Double, now: Double) -> String {
        let difference = seconds - now
        guard difference.isFinite, abs(difference) < 1e12 else { return "-" }
        if abs(difference) < 1 { return "now" }
        let span = span(abs(difference))
        return difference > 0 ? "in \(span)" : "\(span) ago"
    }

    /// A length of time in its largest unit, such as `45 s`, `5 min`, `3 h`, `12 d`.
    package static func span(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "-" }
        let whole = Int(seconds)
        if whole < 120 { return "\(whole) s" }
        if whole < 7200 { return "\(whole / 60) min" }
        return whole < 172_800 ? "\(whole / 3600) h" : "\(whole / 86_400) d"
    }

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

extension JSONValue {
    /// A point in time as ISO 8601 has it; null when there is none.
    package static func timestamp(_ seconds: Double?) -> JSONValue {
        .text(optional: seconds.flatMap(Timestamp.iso))
    }
}
