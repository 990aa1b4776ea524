/// How far a running job has come.
public struct JobProgress: Sendable, Hashable, Codable {
    /// `fetch`, `analyse`, `encode`, `finish` or `verify`.
    public var phase: String
    /// 0 to 1; never falls within one attempt.
    public var fraction: Double
    /// Media seconds a second of wall time; nil before it can be told.
    public var speed: Double?
    /// Seconds left; nil before it can be told.
    public var etaSeconds: Double?

    public init(phase: String, fraction: Double, speed: Double? = nil, etaSeconds: Double? = nil) {
        (self.phase, self.fraction) = (phase, fraction)
        (self.speed, self.etaSeconds) = (speed, etaSeconds)
    }
}
