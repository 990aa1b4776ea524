internal import Foundation

/// The machine's clock.
public enum WallClock {
    /// Seconds since 1970.
    @Sendable public static func now() -> Double { Date().timeIntervalSince1970 }
}
