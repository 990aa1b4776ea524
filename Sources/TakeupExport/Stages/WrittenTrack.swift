internal import TakeupFFmpeg
internal import TakeupTimeline

/// What went into one stream of the output, as the muxer took it.
struct WrittenTrack: Sendable, Equatable {
    let kind: StreamKind
    /// Of the ticks below.
    let timeBase: TimeBase
    let cut: CutEnd?
    private(set) var packets = 0
    /// Copied packets that the muxer refused, as they are damaged; they count nowhere else.
    private(set) var refusedPackets = 0
    /// Packets before 0 and behind a cut's end, which an edit list hides.
    private(set) var hiddenPackets = 0
    private(set) var bytes: Int64 = 0
    private var startTicks = Int64.max
    private var endTicks = Int64.min
    private var lastTicks = Int64.min
    /// The earliest and the latest of what is not hidden.
    private var firstShownTicks = Int64.max
    private var lastShownTicks = Int64.min
    /// When the first picture is hidden behind the end.
    private var firstBehindTicks: Int64?
    private var firstDecodeTicks: Int64?
    private var lastDecodeTicks: Int64 = 0

    /// What was seen of a copy's parameters; nil where an encoder made the packets.
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

    /// Takes a muxer's refusal of a copied packet for a fault of the copy, which lacks that packet.
    ///
    /// - Parameters:
    ///   - error: What the muxer said.
    ///   - before: The track without the packet.
    /// - Throws: The error, if it is of another kind.
    mutating func noteRefusal(_ error: FFmpegError, before: WrittenTrack) throws(FFmpegError) {
        let isOfPacket = error.status == .invalidData || error.status == .notImplemented
        guard isOfPacket, error.operation == .write, parameters != nil else { throw error }
        self = before
        refusedPackets += 1
    }

    var shownPackets: Int { packets - hiddenPackets }

    /// The earliest presentation time; nil before the first packet.
    var start: MediaTime? { packets > 0 ? timeBase.time(startTicks) : nil }

    /// The latest presentation time; nil before the first packet.
    var last: MediaTime? { packets > 0 ? timeBase.time(lastTicks) : nil }

    /// When the first packet is presented that is not hidden; nil where all are.
    var firstShown: MediaTime? { shownPackets > 0 ? timeBase.time(firstShownTicks) : nil }

    /// When the last packet is presented that is not hidden; nil where all are.
    var lastShown: MediaTime? { shownPackets > 0 ? timeBase.time(lastShownTicks) : nil }

    /// The latest end of what is shown; nil before the first packet.
    var end: MediaTime? { packets > 0 ? timeBase.time(shownEndTicks) : nil }

    /// Where the edit list must end so that nothing behind a cut is shown; nil where it ends there by itself.
    var shortenedEnd: MediaTime? {
        packets > 0 && shownEndTicks < endTicks ? timeBase.time(shownEndTicks) : nil
    }

    private var shownEndTicks: Int64 {
        guard let cut else { return endTicks }
        return min(endTicks, cut.end, firstBehindTicks ?? .max)
    }

    /// How long the track lasts in decoding order, which is how MP4 counts.
    var decodeLength: MediaTime {
        timeBase.time(lastDecodeTicks - (firstDecodeTicks ?? lastDecodeTicks))
    }

    /// Counts a packet that goes into the output.
    ///
    /// - Returns: Its presentation time, in ticks.
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
