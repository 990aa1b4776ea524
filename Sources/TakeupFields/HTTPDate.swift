/// A point in time as header fields write it, with a resolution of one second.
///
/// - Note: Source: RFC 9110, 5.6.7: all three forms are read.
public struct HTTPDate: Comparable, Codable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 UTC, without leap seconds.
    public let secondsSince1970: Int64

    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6
    /// 08:49:37 1994`.
    ///
    /// Fails for any other form and for days that do not exist. The name of the weekday is not
    /// checked. `now` decides the century of a two-digit year.
    public init?(_ text: String, now: HTTPDate) {
        let words = FieldText.trimmed(text).split(separator: " ").map(String.init)
        guard let name = words.first else { return nil }
        let parsed: HTTPDate?
        if words.count == 6, name.count == 4, name.hasSuffix(","), words[5] == "GMT",
            words[1].utf8.count == 2, words[3].utf8.count == 4
        {
            parsed = HTTPDate(day: words[1], month: words[2], year: words[3], clock: words[4])
        } else if words.count == 4, name.hasSuffix(","), words[3] == "GMT" {
            parsed = HTTPDate(shortDay: words[1], clock: words[2], now: now)
        } else if words.count == 5, name.count == 3, words[4].utf8.count == 4 {
            parsed = HTTPDate(day: words[2], month: words[1], year: words[4], clock: words[3])
        } else {
            parsed = nil
        }
        guard let parsed, Self.dayNames.contains(String(name.prefix(3))) else { return nil }
        self = parsed
    }

    private static let dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// Mean length of a Gregorian year, in seconds.
    private static let yearSeconds: Int64 = 31_556_952

    /// Parses `06-Nov-94`; chooses the latest century that is at most 50 years ahead.
    private init?(shortDay: String, clock: String, now: HTTPDate) {
        let parts = shortDay.split(separator: "-").map(String.init)
        guard parts.count == 3, parts[0].utf8.count == 2, parts[2].utf8.count == 2,
            let short = FieldText.number(parts[2])
        else { return nil }
        let thisYear = 1970 + now.secondsSince1970 / Self.yearSeconds
        let year = thisYear / 100 * 100 + short
        for candidate in [year + 100, year, year - 100] {
            let date = HTTPDate(
                day: parts[0], month: parts[1], year: String(candidate), clock: clock)
            guard let date,
                date.secondsSince1970 - now.secondsSince1970 <= 50 * Self.yearSeconds
            else { continue }
            self = date
            return
        }
        return nil
    }

    private init?(day: String, month: String, year: String, clock: String) {
        let hands = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard let day = FieldText.number(day), let year = FieldText.number(year),
            let index = Self.monthNames.firstIndex(of: month), (1...9999).contains(year),
            hands.count == 3, hands.allSatisfy({ $0.utf8.count == 2 }),
            let hour = FieldText.number(hands[0]), let minute = FieldText.number(hands[1]),
            let second = FieldText.number(hands[2]), hour < 24, minute < 60, second <= 60,
            (1...Self.daysInMonth(index + 1, year: year)).contains(day)
        else { return nil }
        let days = Self.daysSince1970(year: year, month: Int64(index + 1), day: day)
        secondsSince1970 = ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    private static func daysInMonth(_ month: Int, year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts days since 1970.
    ///
    /// The calculation starts years in March, so that the leap day is the last day of a year.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + dayOfYear - 719_468
    }
}

extension HTTPDate: CustomStringConvertible {
    /// The form that is sent, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Note: Source for the calendar: H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
    public var description: String {
        let days = Self.floor(secondsSince1970, 86_400)
        let second = secondsSince1970 - days * 86_400
        let era = Self.floor(days + 719_468, 146_097)
        let dayOfEra = days + 719_468 - era * 146_097
        let leaps = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leaps) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        // The first day of 1970 was a Thursday.
        let weekday = Self.dayNames[Int((days + 3) - Self.floor(days + 3, 7) * 7)]
        let clock = [second / 3600, second / 60 % 60, second % 60]
            .map { Self.digits($0, 2) }.joined(separator: ":")
        return "\(weekday), \(Self.digits(day, 2)) \(Self.monthNames[Int(month - 1)])"
            + " \(Self.digits(year, 4)) \(clock) GMT"
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
