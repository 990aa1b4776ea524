internal import TakeupFFmpeg
internal import TakeupTimeline

/// Shifts the times of copied packets to the output's track.
struct PacketPlacer: Equatable {
    enum Placement: Equatable {
        case write, skip
        /// Shown after the end, but needed if a later packet is shown earlier.
        case wait
        /// After the end; no more packets are needed.
        case past
    }

    /// Time base of the source packets.
    private let source: TimeBase
    /// Time base of placed packets, fine enough that shifting rounds nothing.
    let timeBase: TimeBase
    let isVideo: Bool
    /// Ticks longer than this, in seconds, are divided; the finer ticks last at most `1 / finest`
    /// of a second.
    private static let coarse = 0.001
    private static let finest: Int32 = 48_000

    /// A picture that starts at most this long before a cut's end counts as after the end, because
    /// its time was rounded.
    private static let slack = MediaTime(value: 1, timescale: 1000)

    /// Highest number of waiting packets, in fields: a decoder delays at most 16 pictures.
    static let mostWaiting = 32

    /// The end of a video cut; nil for sound, which has no hidden end, and for whole tracks.
    let cut: CutEnd?
    private let isWhole: Bool
    private let shift: Int64
    let start: Int64
    /// Time from which sound is written, hidden until the start.
    private let lead: Int64
    private let end: Int64?
    private var lastDTS: Int64?
    private var waiting = 0
    /// Ticks between the two newest packets: the duration of a packet that states none.
    private var step: Int64 = 0
    private var hasKey = false
    /// Presentation time of the first copied picture, if pictures shown earlier are left out.
    private var entry: Int64?

    /// - Parameters:
    ///   - segment: The segment of the packets.
    ///   - timeBase: Time base of the packets.
    ///   - isVideo: Whether the packets are pictures.
    ///   - lead: Duration of hidden sound to write before a cut.
    init(
        _ segment: TrackSegment, timeBase: TimeBase, isVideo: Bool, lead: MediaTime = .zero
    ) {
        source = timeBase
        let timeBase = Self.fine(timeBase)
        self.timeBase = timeBase
        self.isVideo = isVideo
        shift = Int64(0).subtractingClamped(timeBase.ticks(segment.sourceStart))
        // Before a clip that follows another, there is only the sound's priming, which is dropped.
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

    /// Returns a finer time base for a container that counts pictures or audio blocks; each old
    /// tick is a whole number of new ones.
    static func fine(_ base: TimeBase) -> TimeBase {
        let rate = base.denominator
        guard base.tick.seconds > Self.coarse else { return base }
        return TimeBase(1, rate >= Self.finest ? rate : rate * ((Self.finest + rate - 1) / rate))
    }

    /// Sets the first packet to read; pictures shown earlier refer to omitted ones.
    ///
    /// - Parameter time: Time on the source's clock; nil at the source's start.
    mutating func begin(with time: MediaTime?) {
        entry = isVideo ? time.map { timeBase.ticks($0).addingClamped(shift) } : nil
    }

    /// Assigns the packet its times in the output.
    ///
    /// Pictures begin with the keyframe at or before the start; an edit list hides them up to the
    /// start.
    mutating func place(_ packet: borrowing Packet) -> Placement {
        if source != timeBase { packet.rescale(from: source, to: timeBase) }
        packet.shift(byTicks: shift)
        let dts = packet.dtsTicks ?? packet.ptsTicks ?? lastDTS.map { $0.addingClamped(1) } ?? 0
        let decoded = max(dts, lastDTS.map { $0.addingClamped(1) } ?? dts)
        packet.dtsTicks = decoded
        // Sound is presented in decoding order.
        packet.ptsTicks = packet.ptsTicks.map { isVideo ? $0 : max($0, decoded) } ?? decoded
        if let lastDTS { step = max(0, dts.subtractingClamped(lastDTS)) }
        // Readers would place a last packet with duration 0 after the end of the track.
        if packet.durationTicks <= 0 { packet.durationTicks = step }
        let pts = packet.ptsTicks ?? dts
        if isVideo, !hasKey {
            guard packet.isKey else { return .skip }
            hasKey = true
        } else if isVideo, !isWhole, pts <= start, packet.isKey {
            // Decoding began further back, because this picture is no clean entry.
            packet.unmarkKey()
        }
        if let entry, pts < entry { return .skip }
        if !isVideo, pts.addingClamped(packet.durationTicks) <= lead { return .skip }
        if let end, pts >= end {
            // Pictures arrive in another order than they are shown.
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
