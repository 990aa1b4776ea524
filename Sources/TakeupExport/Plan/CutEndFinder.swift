/// Finds where copied pictures can end: no picture before it builds on one that is shown at or behind it.
///
/// Pure: it is told of packets in decoding order, from a key packet before the end on. All times are ticks.
struct CutEndFinder: Equatable {
    /// Everything that is shown before this is copied.
    private var end: Int64
    /// Pictures at or behind `end` that came so far.
    private var behind: [Int64] = []

    init(end: Int64) {
        self.end = end
    }

    /// When the first picture is shown that is not copied; nil when all are.
    var firstLeftOut: Int64? { behind.min() }

    /// Takes in the next packet.
    ///
    /// - Returns: Whether a later one may still matter.
    mutating func take(pts: Int64, dts: Int64) -> Bool {
        if pts >= end {
            behind.append(pts)
        } else if let latest = behind.max() {
            // It may build on all that came before it, and these are then copied too.
            end = latest + 1
            behind = []
        }
        return dts < (behind.min() ?? end)
    }
}
