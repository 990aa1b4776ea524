internal import TakeupTimeline

/// Finds, among the packets that follow a place in the source, the last one with which decoding of a cut can begin.
///
/// Pure: it is told of packets.
struct EntryFinder: Equatable {
    /// A key packet in time.
    struct Entry: Equatable {
        /// When it is presented; when it is decoded, where the source tells no more.
        let ticks: Int64
        let isPresentation: Bool
    }

    /// The latest presentation time at which decoding may begin, in ticks.
    let latest: Int64
    /// How much later than they are decoded key packets may be presented; nil where decoding times are no help.
    let reorder: Int64?
    private var isFirst: Bool
    private(set) var entry: Entry?

    /// - Parameters:
    ///   - latest: In ticks.
    ///   - reorder: In ticks.
    ///   - trustsFirst: Whether the first packet is whole. After a search by time in a stream of bytes it may hold
    ///     the end of another one, which parsers take for a key packet.
    init(latest: Int64, reorder: Int64?, trustsFirst: Bool) {
        self.latest = latest
        self.reorder = reorder
        isFirst = !trustsFirst
    }

    /// Takes in the next packet in decoding order.
    ///
    /// - Returns: Whether a later one may still matter.
    mutating func take(pts: Int64?, dts: Int64?, isKey: Bool) -> Bool {
        defer { isFirst = false }
        guard let time = dts ?? pts else { return true }
        if isKey, !isFirst {
            if let pts, pts <= latest {
                entry = Entry(ticks: pts, isPresentation: true)
            } else if pts == nil, let reorder, time <= latest.subtractingClamped(reorder) {
                entry = Entry(ticks: time, isPresentation: false)
            }
        }
        // Decoding times that a container does not keep are guessed, and may be too late.
        return time <= latest.addingClamped(reorder ?? 0)
    }
}
