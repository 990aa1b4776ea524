/// What is known of one watched folder, in numbers.
struct WatchFigures: Sendable, Equatable {
    var isAvailable = false
    /// Whether everything in it was looked at since the start.
    var hasScanned = false
    /// Whether events tell of changes, besides scans.
    var hasEvents = false
    /// Files that may still be growing.
    var waiting = 0
    /// Files that stand still and cannot be taken.
    var stuck = 0
    /// Files whose jobs have not ended.
    var handed = 0
    /// Files of which is known what became of them.
    var known = 0
    /// Scans of everything, and how long the last one took.
    var scans = 0
    var scanSeconds = 0.0
    /// How often the system lost events.
    var overflows = 0
}
