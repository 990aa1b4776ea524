public import TakeupTimeline

/// What the plan promises of a finished track, as far as it was measured in the sources.
public struct TrackPromise: Sendable, Equatable {
    /// When its first picture or sound is presented.
    public var start: MediaTime
    /// When its last one ends.
    public var end: MediaTime
    /// How far either may be off: two of the longest packets of the sources.
    public var tolerance: MediaTime
    /// Pictures, where their rate is even; nil where only the source tells.
    public var pictures: ClosedRange<Int>?

    /// Compares a finished track with what was promised.
    ///
    /// - Parameters:
    ///   - found: Where it begins and ends; nil when nothing is in it.
    ///   - count: Pictures in it; nil for sound.
    /// - Returns: What speaks against it; nil when it is as promised.
    func fault(_ found: (start: MediaTime, end: MediaTime)?, count: Int?) -> String? {
        guard end - start > tolerance else { return nil }
        guard let found else { return "it is empty, \(start) to \(end) was planned" }
        if found.start - start > tolerance {
            return "it begins at \(found.start), planned was \(start)"
        }
        if end - found.end > tolerance { return "it ends at \(found.end), planned was \(end)" }
        if let pictures, let count, !pictures.contains(count) {
            return "it has \(count) pictures, planned were \(pictures.lowerBound) to "
                + "\(pictures.upperBound)"
        }
        return nil
    }
}
