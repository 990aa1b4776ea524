public import TakeupTimeline

/// Which presentation times the output's frames get.
public struct FrameTimingPlan: Sendable, Equatable, Codable {
    /// Ticks a second of the output's track.
    public var timescale: Int64
    /// Frames a second of the regular grid that the source's times are rounded to where they are within a
    /// tick of it; nil keeps them as they are.
    public var grid: Ratio?
    /// Frames a second to make by repeating and dropping; nil keeps the source's frames.
    public var constantRate: Ratio?
    /// Frames nearer than this rate allows are dropped; nil drops none.
    public var maximumRate: Double?

    package init(
        timescale: Int64, grid: Ratio? = nil, constantRate: Ratio? = nil,
        maximumRate: Double? = nil
    ) {
        self.timescale = timescale
        self.grid = grid
        self.constantRate = constantRate
        self.maximumRate = maximumRate
    }
}
