internal import TakeupFFmpeg
internal import TakeupTimeline

/// Moves the times of copied packets onto the output's track.
struct PacketPlacer: Equatable {
    enum Placement: Equatable {
        case write, skip
        /// Shown behind the end, but needed if a later packet is shown before it.
        case wait
        /// Behind the end: nothing more is needed.
        case past
    }

    /// Of the packets that are to be placed.
    private let source: TimeBase
    /// Of placed packets: fine enough that moving them rounds nothing away.
    let timeBase: TimeBase
    let isVideo: Bool
    /// Seconds: ticks that are longer are made finer, to parts of a second of at most `1 / finest`.
    private static let coarse = 0.001
    private static let finest: Int32 = 48_000

    /// A picture that begins so little before the end of a cut is the next one, whose time was rounded.
    private static let slack = MediaTime(value: 1, timescale: 1000)

    /// Packets that may wait at once, in fields: a decoder holds back 16 pictures at most.
    static let mostWaiting = 32

    /// Where a cut of pictures ends; nil for sound, of which no packet is hidden, and for whole tracks.
    let cut: CutEnd?
    private let isWhole: Bool
    private let shift: Int64
    let start: Int64
    /// From when on sound is written, hidden up to the start.
    private let lead: Int64
    private let end: Int64?
    private var lastDTS: Int64?
    private var waiting = 0
    /// Between the newest packet and the one before it: how long a packet lasts that does not say.
    private var step: Int64 = 0
    private var hasKey = false
    /// When the picture is shown that a copy begins with, if what is shown before it is left out.
    private var entry: Int64?

    /// - Parameters:
    ///   - segment: Where the packets are from.
    ///   - timeBase: Of the packets.
    ///   - isVideo: Whether they are pictures.
    ///   - lead: How much sound before a cut is written, hidden.
    init(
        _ segment: TrackSegment, timeBase: TimeBase, isVideo: Bool, lead: MediaTime = .zero
    ) {
        source = timeBase
        let timeBase = Self.fine(timeBase)
        self.timeBase = timeBase
        self.isVideo = isVideo
        shift = Int64(0).subtractingClamped(timeBase.ticks(segment.sourceStart))
        // What lies before a clip that follows another belongs to nothing: sound's priming.
        start = segment.isWhole && segment.targetStart <= .zero ? .min : 0
        self.lead = start.subtractingClamped(segment.isWhole ? 0 : timeBase.ticks(lead))
        isWhole = segment.isWhole
        let asked = isWhole || segment.isOpenEnded ? nil : timeBase.ticks(segment.duration)
        cut = isVideo ? asked.map { Self.cut(at: $0, segment.duration, timeBase) } : nil
        end = cut?.hidden ?? asked
    }

    private static func cut(
        at end: Int64, _ duration: MediaTime, _ timeBase: TimeBase
    ) -> CutEnd {
        CutEnd(hidden: min(end, max(1, timeBase.ticks(duration - slack))), end: end)
    }

    /// A base for a container that counts pictures or blocks of sound: a whole part of its tick.
    static func fine(_ base: TimeBase) -> TimeBase {
        let rate = base.denominator
        guard base.tick.seconds > Self.coarse else { return base }
        return TimeBase(1, rate >= Self.finest ? rate : rate * ((Self.finest + rate - 1) / rate))
    }

    /// Says with which packet reading begins: what is shown before it builds on what is left out.
    ///
    /// - Parameter time: On the source's clock; nil at the source's start.
    mutating func begin(with time: MediaTime?) {
        entry = isVideo ? time.map { timeBase.ticks($0).addingClamped(shift) } : nil
    }

    /// Gives the packet its times in the output.
    ///
    /// Pictures begin with the keyframe at or before the start, hidden by an edit list up to it.
    mutating func place(_ packet: borrowing Packet) -> Placement {
        if source != timeBase { packet.rescale(from: source, to: timeBase) }
        packet.shift(byTicks: shift)
        let dts = packet.dtsTicks ?? packet.ptsTicks ?? lastDTS.map { $0.addingClamped(1) } ?? 0
        let decoded = max(dts, lastDTS.map { $0.addingClamped(1) } ?? dts)
        packet.dtsTicks = decoded
        // Sound is presented in the order in which it is decoded.
        packet.ptsTicks = packet.ptsTicks.map { isVideo ? $0 : max($0, decoded) } ?? decoded
        if let lastDTS { step = max(0, dts.subtractingClamped(lastDTS)) }
        // A last packet that lasts no time lies behind the end of the track for those who read it.
        if packet.durationTicks <= 0 { packet.durationTicks = step }
        let pts = packet.ptsTicks ?? dts
        if isVideo, !hasKey {
            guard packet.isKey else { return .skip }
            hasKey = true
        } else if isVideo, !isWhole, pts <= start, packet.isKey {
            // Decoding began further back, since this picture alone does not do.
            packet.unmarkKey()
        }
        if let entry, pts < entry { return .skip }
        if !isVideo, pts.addingClamped(packet.durationTicks) <= lead { return .skip }
        if let end, pts >= end {
            // Pictures come in another order than they are shown in.
            guard isVideo, decoded < end, waiting < Self.mostWaiting else { return .past }
            waiting += 1
            lastDTS = decoded
            return .wait
        }
        waiting = 0
        lastDTS = decoded
        return .write
    }
}
