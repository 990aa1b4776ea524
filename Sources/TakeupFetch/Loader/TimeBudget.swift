/// The total time that fetching may take, and the time spent so far.
struct TimeBudget: Equatable {
    /// The limit, in seconds; nil for no limit.
    let seconds: Double?
    private(set) var spentSeconds = 0.0

    init(seconds: Double?) {
        precondition(seconds.map { $0 > 0 } ?? true, "nothing can be fetched in no time")
        self.seconds = seconds
    }

    /// Remaining seconds, at least 0; nil for no limit.
    var leftSeconds: Double? { seconds.map { max(0, $0 - spentSeconds) } }
    var isSpent: Bool { leftSeconds == 0 }

    mutating func spend(_ seconds: Double) { spentSeconds += max(0, seconds) }
}
