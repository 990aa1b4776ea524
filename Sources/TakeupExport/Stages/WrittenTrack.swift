internal import TakeupFFmpeg
internal import TakeupTimeline

/// What went into one stream of the output, as the muxer took it.
struct WrittenTrack: Sendable, Equatable {
    /// Of the ticks below.
    let timeBase: TimeBase
    private(set) var packets = 0
    /// Packets before 0, which an edit list hides.
    private(set) var hiddenPackets = 0
    private(set) var bytes: Int64 = 0
    private var startTicks = Int64.max
    private var endTicks = Int64.min
    private var lastTicks = Int64.min
    private var firstDecodeTicks: Int64?
    private var lastDecodeTicks: Int64 = 0

    /// What was seen of a copy's parameters; nil where an encoder made the packets.
    private(set) var parameters: ParameterWatch?

    init(timeBase: TimeBase, parameters: ParameterWatch? = nil) {
        self.timeBase = timeBase
        self.parameters = parameters
    }

    var shownPackets: Int { packets - hiddenPackets }

    /// The earliest presentation time; nil before the first packet.
    var start: MediaTime? { packets > 0 ? timeBase.time(startTicks) : nil }

    /// The latest presentation time; nil before the first packet.
    var last: MediaTime? { packets > 0 ? timeBase.time(lastTicks) : nil }

    /// The latest end of a presentation; nil before the first packet.
    var end: MediaTime? { packets > 0 ? timeBase.time(endTicks) : nil }

    /// How long the track lasts in decoding order, which is how MP4 counts.
    var decodeLength: MediaTime {
        timeBase.time(lastDecodeTicks - (firstDecodeTicks ?? lastDecodeTicks))
    }

    /// Counts a packet that goes into the output.
    ///
    /// - Returns: Its presentation time, in ticks.
    mutating func count(_ packet: borrowing Packet) -> Int64 {
        parameters?.look(packet)
        let pts = packet.ptsTicks ?? packet.dtsTicks ?? 0
        let decode = packet.dtsTicks ?? pts
        let length = max(0, packet.durationTicks)
        packets += 1
        if pts < 0 { hiddenPackets += 1 }
        bytes += Int64(packet.byteCount)
        startTicks = min(startTicks, pts)
        lastTicks = max(lastTicks, pts)
        endTicks = max(endTicks, pts + length)
        firstDecodeTicks = firstDecodeTicks ?? decode
        lastDecodeTicks = decode + length
        return pts
    }
}
