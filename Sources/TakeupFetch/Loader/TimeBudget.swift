/// The time that fetching may take on the whole, and what is spent of it.
struct TimeBudget: Equatable {
    /// nil for no limit.
    let seconds: Double?
    private(set) var spentSeconds = 0.0

    init(seconds: Double?) {
        precondition(seconds.map { $0 > 0 } ?? true, "nothing can be fetched in no time")
        self.seconds = seconds
    }

    /// nil for no limit; else 0 at least.
    var leftSeconds: Double? { seconds.map { max(0, $0 - spentSeconds) } }
    var isSpent: Bool { leftSeconds == 0 }

    mutating func spend(_ seconds: Double) { spentSeconds += max(0, seconds) }
}
