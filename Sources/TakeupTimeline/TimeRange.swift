/// A half-open span of time: from `start` up to, but not including, `end`.
public struct TimeRange: Sendable, Hashable, Codable {
    public let start: MediaTime
    /// Duration; nil means up to the end of the media to which the range applies.
    public let duration: MediaTime?

    public init(start: MediaTime, duration: MediaTime? = nil) {
        self.start = start
        self.duration = duration
    }

    public init(start: MediaTime, end: MediaTime) {
        self.start = start
        duration = end - start
    }

    /// The first time after the range; nil for an open range.
    public var end: MediaTime? { duration.map { start + $0 } }

    /// Returns the part between zero and `total`; nil if there is none.
    public func clamped(to total: MediaTime) -> TimeRange? {
        let first = max(start, .zero)
        let last = min(end ?? total, total)
        return first < last ? TimeRange(start: first, end: last) : nil
    }
}
