/// Which waiting job is next, so that a flood of urgent ones starves nobody.
///
/// Jobs go by priority, then in the order of acceptance; every fourth claim takes the one that has waited longest,
/// if it is overdue.
public enum AgingPolicy {
    /// Waiting time after which a job is overdue, in seconds.
    public static let overdueSeconds = 900.0

    /// Whether the claim with this token looks at overdue jobs first.
    public static func prefersOverdue(token: Int64) -> Bool { token % 4 == 0 }
}
