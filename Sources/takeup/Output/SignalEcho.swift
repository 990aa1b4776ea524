/// Tells a request to stop from its echo.
///
/// `timeout` and others like it send a signal to a program and at once to its group, which it is in too: meant
/// once, it arrives twice.
struct SignalEcho {
    /// How long after a signal the same one says nothing new: far longer than a sender takes for both, and shorter
    /// than people take to press keys twice.
    static let span = Duration.milliseconds(50)

    private var last: (signal: Int32, at: ContinuousClock.Instant)?

    /// Whether a signal only repeats the one before it.
    mutating func isEcho(_ signal: Int32, at now: ContinuousClock.Instant) -> Bool {
        if let last, last.signal == signal, now - last.at < Self.span { return true }
        last = (signal, now)
        return false
    }
}
