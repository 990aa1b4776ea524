import Foundation

/// A time of a `TestOrigin` in whole seconds and as HTTP writes it.
struct OriginDate: Equatable {
    /// Since 1970.
    var seconds: Int

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static var now: OriginDate { OriginDate(seconds: time(nil)) }

    init(seconds: Int) {
        self.seconds = seconds
    }

    /// Reads the one form that may be written; nil for any other.
    init?(text: String) {
        let words = text.split { $0 == " " || $0 == ":" }
        guard words.count == 8, let day = Int32(words[1]), let year = Int32(words[3]),
            let month = Self.months.firstIndex(of: String(words[2])),
            let hour = Int32(words[4]), let minute = Int32(words[5]), let second = Int32(words[6])
        else { return nil }
        var parts = tm()
        (parts.tm_mday, parts.tm_mon, parts.tm_year) = (day, Int32(month), year - 1900)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        let date = OriginDate(seconds: timegm(&parts))
        guard date.text == text else { return nil }
        self = date
    }

    var text: String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let month = Self.months[Int(parts.tm_mon)]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits)
        return "\(day), \(Self.twoDigits(parts.tm_mday)) \(month) \(parts.tm_year + 1900) "
            + "\(clock.joined(separator: ":")) GMT"
    }

    private static func twoDigits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
