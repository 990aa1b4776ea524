internal import Foundation

/// The hours in which jobs may be started, by the clock on the wall.
///
/// Where the clock is put forward, hours that do not come are not there; where it is put back, those that come
/// twice count twice.
package struct WorkHours: Sendable, Equatable {
    /// A time of some days of the week; one that goes past midnight belongs to the day on which it begins.
    private struct Window: Sendable, Equatable {
        /// 0 is Monday.
        let days: Set<Int>
        /// Minute of the day, from 0 to 1439.
        let start: Int
        /// Above `start`; above 1440 on the next day.
        let end: Int

        func isOpen(day: Int, minute: Int) -> Bool {
            if days.contains(day), (start..<end).contains(minute) { return true }
            return days.contains((day + 6) % 7)
                && (start..<end).contains(minute + WorkHours.dayMinutes)
        }
    }

    private static let dayMinutes = 1440
    /// Longer than any two changes of hours that ever change are apart.
    private static let horizonSeconds = 16 * 86_400.0
    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private let windows: [Window]

    /// Reads texts such as `22:00-06:00`, `mon-fri 22:00-06:00` and `sat,sun 00:00-24:00`, several in one with semicolons.
    ///
    /// - Returns: nil when one of them is none.
    package init?(parsing texts: [String]) {
        var windows: [Window] = []
        for text in texts {
            for part in text.lowercased().split(separator: ";", omittingEmptySubsequences: false) {
                guard let window = Self.window(part) else { return nil }
                windows.append(window)
            }
        }
        guard !windows.isEmpty else { return nil }
        self.windows = windows
    }

    private static func window(_ text: Substring) -> Window? {
        let words = text.split(separator: " ")
        guard (1...2).contains(words.count) else { return nil }
        let days = words.count == 2 ? days(words[0]) : Set(names.indices)
        let times = words[words.count - 1].split(separator: "-", omittingEmptySubsequences: false)
        guard let days, times.count == 2, let start = minute(times[0]),
            let end = minute(times[1]), start < dayMinutes, end > 0 || start > 0, start != end
        else { return nil }
        return Window(days: days, start: start, end: end > start ? end : end + dayMinutes)
    }

    /// Reads `mon`, `mon-fri`, `fri-mon` and several of them with commas.
    private static func days(_ text: Substring) -> Set<Int>? {
        var days: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { name in names.firstIndex(of: String(name)) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1]
            else { return nil }
            for step in 0...((last - first + 7) % 7) { days.insert((first + step) % 7) }
        }
        return days
    }

    /// Reads `00:00` to `24:00`.
    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60,
            hour * 60 + minute <= dayMinutes
        else { return nil }
        return hour * 60 + minute
    }

    func isOpen(at time: Date, in zone: TimeZone) -> Bool {
        isOpen(localSecond: Self.second(time) + zone.secondsFromGMT(for: time))
    }

    /// - Returns: The first moment after `time` at which it opens or closes; nil when that never comes.
    func nextChange(after time: Date, in zone: TimeZone) -> Date? {
        let before = isOpen(at: time, in: zone)
        var now = time
        while now.timeIntervalSince(time) < Self.horizonSeconds {
            now = nextMoment(after: now, in: zone)
            if isOpen(at: now, in: zone) != before { return now }
        }
        return nil
    }

    /// The next whole minute at which a window begins or ends by the clock on the wall, or at which that clock is put.
    private func nextMoment(after time: Date, in zone: TimeZone) -> Date {
        let offset = zone.secondsFromGMT(for: time)
        let local = Self.second(time) + offset
        let day = Self.floored(local, by: 86_400)
        let bounds = windows.flatMap { [$0.start, $0.end] }.map { $0 % Self.dayMinutes * 60 }
        let seconds = bounds.map { second in
            let today = day * 86_400 + second
            return today > local ? today : today + 86_400
        }
        let next = Date(timeIntervalSince1970: Double((seconds.min() ?? local + 86_400) - offset))
        guard let put = zone.nextDaylightSavingTimeTransition(after: time), put > time else {
            return next
        }
        return min(next, put)
    }

    private func isOpen(localSecond: Int) -> Bool {
        let day = Self.floored(localSecond, by: 86_400)
        let minute = (localSecond - day * 86_400) / 60
        // The first day of 1970 was a Thursday.
        let weekday = ((day + 3) % 7 + 7) % 7
        return windows.contains { $0.isOpen(day: weekday, minute: minute) }
    }

    private static func second(_ time: Date) -> Int {
        Int(time.timeIntervalSince1970.rounded(.down))
    }

    private static func floored(_ value: Int, by divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }
}
