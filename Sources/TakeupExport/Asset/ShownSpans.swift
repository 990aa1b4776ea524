internal import TakeupFFmpeg
internal import TakeupTimeline

/// The presentation span of one stream's packets in each epoch.
///
/// Some pictures have no presentation time, for example in programme streams. Each of them is then
/// shown with a fixed delay after its decoding time; the first picture gives the delay.
struct ShownSpans {
    private let base: TimeBase
    private let isVideo: Bool
    private(set) var byEpoch: [Int: (start: MediaTime, end: MediaTime)] = [:]
    /// Presentation time minus decoding time of the first picture, in ticks.
    private var lead: Int64?
    /// Expected decoding time of the next packet, in ticks, if the packet states none.
    private var next: Int64?
    /// Whether some picture had no presentation time.
    private var isVague = false

    init(_ base: TimeBase, isVideo: Bool) {
        self.base = base
        self.isVideo = isVideo
    }

    /// Processes the next packet in decoding order; times are in ticks.
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
