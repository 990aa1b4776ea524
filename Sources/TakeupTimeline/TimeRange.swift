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

    /// Returns a part of it that counts from its start; all of it for nil.
    public func part(_ inner: TimeRange?) -> TimeRange {
        guard let inner else { return self }
        let first = start + inner.start
        let ends = [end, inner.end.map { start + $0 }].compactMap(\.self)
        guard let last = ends.min() else { return TimeRange(start: first) }
        return TimeRange(start: first, end: max(first, last))
    }

    /// Returns the part between zero and `total`; nil if there is none.
    public func clamped(to total: MediaTime) -> TimeRange? {
        let first = max(start, .zero)
        let last = min(end ?? total, total)
        return first < last ? TimeRange(start: first, end: last) : nil
    }
}
