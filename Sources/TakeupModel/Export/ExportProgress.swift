/// How far an export has come.
public struct ExportProgress: Sendable, Equatable, Codable {
    public var phase: ExportPhase
    /// 0 to 1 over the whole export; never falls.
    public var fraction: Double
    /// Media seconds done a second of wall time; nil before it can be told.
    public var speed: Double?
    /// Seconds left; nil before it can be told.
    public var etaSeconds: Double?

    package init(
        phase: ExportPhase, fraction: Double, speed: Double? = nil, etaSeconds: Double? = nil
    ) {
        self.phase = phase
        self.fraction = fraction
        self.speed = speed
        self.etaSeconds = etaSeconds
    }
}
