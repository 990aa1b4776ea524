/// A half-open span of time: from `start` up to, but not including, `end`.
public struct TimeRange: Sendable, Hashable, Codable {
    public let start: MediaTime
    /// How long it lasts; nil means up to the end of whatever it is applied to.
    public let duration: MediaTime?

    public init(start: MediaTime, duration: MediaTime? = nil) {
        self.start = start
        self.duration = duration
    }

    public init(start: MediaTime, end: MediaTime) {
        self.start = start
        duration = end - start
    }

    /// The first time behind the range; nil where it is open.
    public var end: MediaTime? { duration.map { start + $0 } }

    /// The part that lies within zero and `total`; nil when nothing does.
    public func clamped(to total: MediaTime) -> TimeRange? {
        let first = max(start, .zero)
        let last = min(end ?? total, total)
        return first < last ? TimeRange(start: first, end: last) : nil
    }
}
