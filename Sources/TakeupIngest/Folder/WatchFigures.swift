/// What is known of one watched folder, in numbers.
package struct WatchFigures: Sendable, Equatable {
    package var isAvailable = false
    /// Whether everything in it was looked at since the start.
    package var hasScanned = false
    /// Whether events tell of changes, besides scans.
    package var hasEvents = false
    /// Files that may still be growing.
    package var waiting = 0
    /// Files that stand still and cannot be taken.
    package var stuck = 0
    /// Files whose jobs have not ended.
    package var handed = 0
    /// Files of which is known what became of them.
    package var known = 0
    /// Number of full scans, and how long the last scan took.
    package var scans = 0
    package var scanSeconds = 0.0
    /// How often the system lost events.
    package var overflows = 0

    package init(
        isAvailable: Bool = false, hasScanned: Bool = false, hasEvents: Bool = false,
        waiting: Int = 0, stuck: Int = 0, handed: Int = 0, known: Int = 0, scans: Int = 0,
        scanSeconds: Double = 0, overflows: Int = 0
    ) {
        (self.isAvailable, self.hasScanned) = (isAvailable, hasScanned)
        (self.hasEvents, self.waiting, self.stuck) = (hasEvents, waiting, stuck)
        (self.handed, self.known, self.scans) = (handed, known, scans)
        (self.scanSeconds, self.overflows) = (scanSeconds, overflows)
    }
}
