internal import Foundation

/// Times as object stores write them.
enum UTCTime {
    /// `20130524T000000Z`, of seconds since 1970.
    static func stamp(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        let numbers = [
            parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
        ].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(parts.tm_year + 1900)\(numbers[0])\(numbers[1])T"
            + numbers[2...].joined() + "Z"
    }

    /// Seconds since 1970 of `2013-05-24T00:00:00.000Z`; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
        guard numbers.count >= 6, text.hasSuffix("Z") else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
            numbers[0] - 1900, numbers[1] - 1, numbers[2]
        )
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        return Int64(timegm(&parts))
    }
}
