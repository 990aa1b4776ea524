internal import TakeupSQL

/// When a connection that was lost may be tried again: at once, then after pauses that double, each by chance, so that a
/// server that comes back is not met by everybody at once.
struct ReconnectBackoff {
    private static let (firstSeconds, mostSeconds) = (0.1, 3.0)

    private var pause = Self.firstSeconds
    private var failure: (error: SQLError, until: ContinuousClock.Instant)?

    /// - Throws: The last error, where it is too early.
    func check() throws(SQLError) {
        if let failure, ContinuousClock.now < failure.until { throw failure.error }
    }

    mutating func note(_ error: SQLError) {
        failure = (error, .now + .seconds(pause * Double.random(in: 0.5...1)))
        pause = min(2 * pause, Self.mostSeconds)
    }
}
