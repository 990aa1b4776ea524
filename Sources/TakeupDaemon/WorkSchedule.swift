internal import Foundation

/// Opens and closes a worker by its hours.
package struct WorkSchedule: Sendable, Equatable {
    /// What becomes of running jobs when the hours end.
    package enum Closing: String, Sendable, CaseIterable {
        /// They end by themselves.
        case drain
        /// They go back to the queue at once.
        case checkpoint
    }

    enum Action: Sendable, Equatable {
        case open
        /// - Parameter reason: For people, with the time at which it opens again.
        case close(reason: String)
    }

    let hours: WorkHours
    let closing: Closing
    /// nil before the first look.
    private(set) var isOpen: Bool?
    /// Why Takeup starts no job now; nil during the hours.
    private(set) var reason: String?

    package init(_ hours: WorkHours, closing: Closing) {
        (self.hours, self.closing) = (hours, closing)
    }

    /// Compares the wall clock with the hours.
    ///
    /// Somebody may have set the clock since the last call.
    ///
    /// - Returns: The action to take now; nil if nothing has changed.
    mutating func look(at time: Date, in zone: TimeZone) -> Action? {
        let isOpen = hours.isOpen(at: time, in: zone)
        guard isOpen != self.isOpen else { return nil }
        let wasClosed = self.isOpen == false
        self.isOpen = isOpen
        guard !isOpen else {
            reason = nil
            return wasClosed ? .open : nil
        }
        let text = Self.reason(until: hours.nextChange(after: time, in: zone), from: time, zone)
        reason = text
        return .close(reason: text)
    }

    /// - Returns: Seconds until the hours begin or end, if nobody sets the clock.
    func secondsToChange(from time: Date, in zone: TimeZone) -> Double {
        hours.nextChange(after: time, in: zone)?.timeIntervalSince(time) ?? .infinity
    }

    /// Such as `closed until 22:00`, or `closed until Mon 22:00` where that is a day away or more.
    private static func reason(until opening: Date?, from time: Date, _ zone: TimeZone) -> String {
        guard let opening else { return "closed" }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = zone
        format.dateFormat = opening.timeIntervalSince(time) < 86_400 ? "HH:mm" : "EEE HH:mm"
        return "closed until \(format.string(from: opening))"
    }
}
