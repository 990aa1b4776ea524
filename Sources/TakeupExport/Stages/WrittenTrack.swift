internal import TakeupFFmpeg
internal import TakeupTimeline

/// The facts about one output stream, as the muxer received it.
struct WrittenTrack: Sendable, Equatable {
    let kind: StreamKind
    /// Time base of the ticks below.
    let timeBase: TimeBase
    let cut: CutEnd?
    private(set) var packets = 0
    /// Number of damaged copied packets that the muxer refused; they count nowhere else.
    private(set) var refusedPackets = 0
    /// Number of packets before 0 and after a cut's end, which an edit list hides.
    private(set) var hiddenPackets = 0
    private(set) var bytes: Int64 = 0
    private var startTicks = Int64.max
    private var endTicks = Int64.min
    private var lastTicks = Int64.min
    /// Earliest and latest time of the packets that are not hidden.
    private var firstShownTicks = Int64.max
    private var lastShownTicks = Int64.min
    /// Time of the first picture that is hidden after the end.
    private var firstBehindTicks: Int64?
    private var firstDecodeTicks: Int64?
    private var lastDecodeTicks: Int64 = 0

    /// The parameter check of a copy; nil for an encoded track.
    private(set) var parameters: ParameterWatch?

    init(
        _ kind: StreamKind, timeBase: TimeBase, cut: CutEnd? = nil,
        parameters: ParameterWatch? = nil
    ) {
        self.kind = kind
        self.timeBase = timeBase
        self.cut = cut
        self.parameters = parameters
    }

    /// Treats the muxer's refusal of a copied packet as a fault of the copy, which then lacks this
    /// packet.
    ///
    /// - Parameters:
    ///   - error: The muxer's error.
    ///   - before: The track without the packet.
    /// - Throws: The error, if it has another cause.
    mutating func noteRefusal(_ error: FFmpegError, before: WrittenTrack) throws(FFmpegError) {
        let isOfPacket = error.status == .invalidData || error.status == .notImplemented
        guard isOfPacket, error.operation == .write, parameters != nil else { throw error }
        self = before
        refusedPackets += 1
    }

    var shownPackets: Int { packets - hiddenPackets }

    /// Earliest presentation time; nil before the first packet.
    var start: MediaTime? { packets > 0 ? timeBase.time(startTicks) : nil }

    /// Latest presentation time; nil before the first packet.
    var last: MediaTime? { packets > 0 ? timeBase.time(lastTicks) : nil }

    /// Presentation time of the first packet that is not hidden; nil if all are hidden.
    var firstShown: MediaTime? { shownPackets > 0 ? timeBase.time(firstShownTicks) : nil }

    /// Presentation time of the last packet that is not hidden; nil if all are hidden.
    var lastShown: MediaTime? { shownPackets > 0 ? timeBase.time(lastShownTicks) : nil }

    /// Latest end of the shown packets; nil before the first packet.
    var end: MediaTime? { packets > 0 ? timeBase.time(shownEndTicks) : nil }

    /// Required end of the edit list, so that nothing after a cut is shown; nil if the list ends
    /// there anyway.
    var shortenedEnd: MediaTime? {
        packets > 0 && shownEndTicks < endTicks ? timeBase.time(shownEndTicks) : nil
    }

    private var shownEndTicks: Int64 {
        guard let cut else { return endTicks }
        return min(endTicks, cut.end, firstBehindTicks ?? .max)
    }

    /// Duration of the track in decoding order, as MP4 counts it.
    var decodeLength: MediaTime {
        timeBase.time(lastDecodeTicks - (firstDecodeTicks ?? lastDecodeTicks))
    }

    /// Counts a packet that goes into the output.
    ///
    /// - Returns: The packet's presentation time, in ticks.
    mutating func count(_ packet: borrowing Packet) -> Int64 {
        let pts = packet.ptsTicks ?? packet.dtsTicks ?? 0
        let decode = packet.dtsTicks ?? pts
        let length = max(0, packet.durationTicks)
        parameters?.look(packet, from: timeBase.time(pts), to: timeBase.time(pts + length))
        packets += 1
        let isBehind = cut.map { pts >= $0.hidden } ?? false
        if isBehind { firstBehindTicks = min(firstBehindTicks ?? pts, pts) }
        if pts < 0 || isBehind {
            hiddenPackets += 1
        } else {
            firstShownTicks = min(firstShownTicks, pts)
            lastShownTicks = max(lastShownTicks, pts)
        }
        bytes += Int64(packet.byteCount)
        startTicks = min(startTicks, pts)
        lastTicks = max(lastTicks, pts)
        endTicks = max(endTicks, pts + length)
        firstDecodeTicks = firstDecodeTicks ?? decode
        lastDecodeTicks = decode + length
        return pts
    }
}
