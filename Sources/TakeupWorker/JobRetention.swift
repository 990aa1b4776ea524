/// How long jobs that have ended stay in the queue's list.
public struct JobRetention: Sendable, Equatable {
    /// Seconds from their end.
    public var seconds: Double
    /// How many at most; those that ended first go first.
    public var most: Int

    public init(seconds: Double = 30 * 86_400, most: Int = 1_000_000) {
        (self.seconds, self.most) = (seconds, most)
    }
}
