public import TakeupTimeline

/// What the plan promises of a finished track, as far as it was measured in the sources.
public struct TrackPromise: Sendable, Equatable, Codable {
    /// When its first picture or sound is presented.
    public var start: MediaTime
    /// When its last one ends, or later where the source does not tell exactly.
    public var end: MediaTime
    /// When it ends at the latest; nil where all that the source gives is taken.
    public var latestEnd: MediaTime?
    /// How far the start may be off: one picture or packet, and what times are rounded by.
    public var startTolerance: MediaTime
    /// The same for the end.
    public var endTolerance: MediaTime
    /// Whether it may begin sooner, because silence is put before late sound.
    public var mayBeginSooner = false
    /// Pictures, where their rate is even; nil where only the source tells.
    public var pictures: ClosedRange<Int>?

    package init(
        start: MediaTime, end: MediaTime, latestEnd: MediaTime? = nil, startTolerance: MediaTime,
        endTolerance: MediaTime, mayBeginSooner: Bool = false, pictures: ClosedRange<Int>? = nil
    ) {
        self.start = start
        self.end = end
        self.latestEnd = latestEnd
        self.startTolerance = startTolerance
        self.endTolerance = endTolerance
        self.mayBeginSooner = mayBeginSooner
        self.pictures = pictures
    }

    /// Takes back a part of the promise, because the track's ends are left out.
    ///
    /// - Parameters:
    ///   - length: How much later the track may begin, and how much sooner it may end.
    ///   - count: How many fewer pictures it may have.
    package mutating func allow(shorterBy length: MediaTime, pictures count: Int) {
        startTolerance = startTolerance + length
        endTolerance = endTolerance + length
        pictures = pictures.map { max(0, $0.lowerBound - count)...$0.upperBound }
    }

    /// Compares a finished track with what was promised.
    ///
    /// - Parameters:
    ///   - found: Where it begins and ends; nil when nothing is in it.
    ///   - count: Pictures in it; nil for sound.
    /// - Returns: What speaks against it; nil when it is as promised.
    package func fault(_ found: (start: MediaTime, end: MediaTime)?, count: Int?) -> String? {
        guard let found else {
            return end - start > endTolerance ? "it is empty, \(start) to \(end) was planned" : nil
        }
        let late = found.start - start
        if late > startTolerance || (-late > startTolerance && !mayBeginSooner) {
            return "it begins at \(found.start), planned was \(start)"
        }
        if end - found.end > endTolerance {
            return "it ends at \(found.end), planned was \(end)"
        }
        if let latestEnd, found.end - latestEnd > endTolerance {
            return "it ends at \(found.end), planned was \(latestEnd) at the latest"
        }
        if let pictures, let count, !pictures.contains(count) {
            return "it has \(count) pictures, planned were \(pictures.lowerBound) to "
                + "\(pictures.upperBound)"
        }
        return nil
    }
}
