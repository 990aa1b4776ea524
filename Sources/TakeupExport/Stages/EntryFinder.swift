internal import TakeupTimeline

/// Finds the last packet with which the decoding of a cut can begin, among the packets after a
/// seek.
///
/// Performs no I/O: the caller supplies the packets.
struct EntryFinder: Equatable {
    /// A keyframe packet that is early enough.
    struct Entry: Equatable {
        /// Its presentation time, or its decoding time if the source has no presentation time.
        let ticks: Int64
        let isPresentation: Bool
    }

    /// Latest presentation time at which decoding may begin, in ticks.
    let latest: Int64
    /// Longest delay between decoding and presentation of keyframes, in ticks; nil if decoding
    /// times are useless.
    let reorder: Int64?
    private var isFirst: Bool
    private(set) var entry: Entry?

    /// - Parameters:
    ///   - latest: Latest presentation time, in ticks.
    ///   - reorder: Longest delay between decoding and presentation, in ticks.
    ///   - trustsFirst: Whether the first packet is complete. After a seek in a byte stream, it may
    ///     hold the end of another packet, which parsers take for a keyframe.
    init(latest: Int64, reorder: Int64?, trustsFirst: Bool) {
        self.latest = latest
        self.reorder = reorder
        isFirst = !trustsFirst
    }

    /// Examines the next packet in decoding order.
    ///
    /// - Returns: Whether a later packet may still matter.
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
        // Decoding times that a container does not store are guessed and may be too late.
        return time <= latest.addingClamped(reorder ?? 0)
    }
}
