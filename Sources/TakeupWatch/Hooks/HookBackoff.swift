internal import Foundation

/// When a hook that failed is tried again.
///
/// Each event waits longer after each failure of its own. Besides, the hook is left alone for a while after every
/// failure, whatever the event: one that is away is asked once a minute, however much waits for it.
struct HookBackoff {
    static let firstSeconds = 5.0
    static let longestSeconds = 3600.0
    static let longestRestSeconds = 60.0
    /// An event that still fails so long after it happened is given up.
    static let mostAgeSeconds = 7 * 86_400.0
    /// Waits differ by so much of themselves, so that hooks of many machines do not come at once.
    static let jitter = 0.2

    private var failures = 0
    /// Seconds since 1970; nil while nothing failed.
    private var restsUntil: Double?

    /// How long the hook is to be left alone still, in seconds.
    func restSeconds(now: Double) -> Double {
        guard let restsUntil else { return 0 }
        let left = restsUntil - now
        // The clock was set back.
        return left > Self.longestRestSeconds ? 0 : max(0, left)
    }

    mutating func succeed() {
        (failures, restsUntil) = (0, nil)
    }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - message: What failed.
    ///   - asked: What the hook asks for, in seconds.
    ///   - now: Seconds since 1970.
    ///   - share: From 0 up to 1, at random.
    /// - Returns: After how many seconds the event is tried again; nil when it is given up.
    mutating func fail(
        _ message: HookMessage, asked: Double?, now: Double, share: Double
    ) -> Double? {
        let asked = min(max(0, asked ?? 0), Self.longestSeconds)
        let stretch = 1 + Self.jitter * share
        // An hour that is asked for one event holds up that one, not all the others.
        let rest = max(Self.doubled(failures) * stretch, asked)
        restsUntil = now + min(rest, Self.longestRestSeconds)
        failures += 1
        guard now - message.createdAt < Self.mostAgeSeconds else { return nil }
        return max(Self.doubled(message.tries) * stretch, asked)
    }

    /// Whether a time has come; one that is further away than any wait was set by a clock that was ahead.
    static func isDue(_ seconds: Double, now: Double) -> Bool {
        seconds <= now || seconds > now + longestSeconds * (1 + jitter)
    }

    private static func doubled(_ failures: Int) -> Double {
        min(firstSeconds * exp2(Double(min(failures, 20))), longestSeconds)
    }
}
