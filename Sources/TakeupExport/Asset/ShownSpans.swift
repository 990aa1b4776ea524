internal import TakeupFFmpeg
internal import TakeupTimeline

/// From when to when the packets of one stream are shown, in each of its epochs.
///
/// Where pictures do not say when they are shown, as in programme streams, one is shown with each that is decoded,
/// as much later as the first one says.
struct ShownSpans {
    private let base: TimeBase
    private let isVideo: Bool
    private(set) var byEpoch: [Int: (start: MediaTime, end: MediaTime)] = [:]
    /// How much later than it is decoded the first picture is shown, in ticks.
    private var lead: Int64?
    /// When the next packet is decoded if it does not say, in ticks.
    private var next: Int64?
    /// Whether a picture did not say when it is shown.
    private var isVague = false

    init(_ base: TimeBase, isVideo: Bool) {
        self.base = base
        self.isVideo = isVideo
    }

    /// Takes in the next packet in decoding order, whose times are ticks.
    mutating func add(pts: Int64?, dts: Int64?, duration: Int64, epoch: Int) {
        let length = max(0, duration)
        let decode = dts ?? next
        next = (decode ?? pts).map { $0.addingClamped(length) }
        if lead == nil, let pts, let dts { lead = max(0, pts.subtractingClamped(dts)) }
        isVague = isVague || pts == nil && isVideo
        guard let start = pts ?? (isVideo ? decode : dts) else { return }
        let end = isVague ? max(start, (decode ?? start).addingClamped(lead ?? 0)) : start
        let (first, last) = (base.time(start), base.time(end.addingClamped(length)))
        let known = byEpoch[epoch] ?? (first, last)
        byEpoch[epoch] = (min(known.start, first), max(known.end, last))
    }
}
