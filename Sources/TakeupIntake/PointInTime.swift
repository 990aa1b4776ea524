internal import Foundation

/// A point in time, as people and programs write it.
public enum PointInTime {
    /// Reads `2026-05-04T03:02:01Z`, also with a fraction of a second or with an offset such as `+02:00`.
    ///
    /// - Returns: Seconds since 1970; nil for anything else, and for what lies before.
    public static func seconds(parsing text: String) -> Double? {
        let formatter = ISO8601DateFormatter()
        for options in [ISO8601DateFormatter.Options.withInternetDateTime, withFraction] {
            formatter.formatOptions = options
            guard let date = formatter.date(from: text) else { continue }
            return date.timeIntervalSince1970 >= 0 ? date.timeIntervalSince1970 : nil
        }
        return nil
    }

    private static var withFraction: ISO8601DateFormatter.Options {
        [.withInternetDateTime, .withFractionalSeconds]
    }
}
