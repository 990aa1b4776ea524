internal import TakeupFFmpeg
internal import TakeupTimeline

/// The result of reading every packet of one stream.
struct StreamScan: Sendable, Equatable {
    /// Longest distance, in packets, from a packet with missing bytes to the splice that explains
    /// it; FFmpeg's parser delays one packet.
    static let spliceReach = 2
    /// A step counts as a gap only if it is longer than this multiple of the stream's shortest
    /// step.
    private static let holeSteps: Int64 = 4

    /// Whether the stream is from a broadcast, which starts and stops anywhere and may have gaps.
    let isBroadcast: Bool
    var packets = 0
    /// Bytes of all packets together.
    var bytes: Int64 = 0
    /// Number of incomplete packets, without those next to a splice or gap or at a broadcast's
    /// ends.
    var corruptPackets = 0
    /// Number of incomplete packets at the ends of a broadcast.
    private(set) var cutPackets = 0
    /// Numbers of recent packets that seem damaged; the next packets may explain the damage.
    private var suspects: [Int] = []
    private(set) var opening = TrackOpening()
    /// Times on the source's continuous clock; nil without a timestamp.
    var start: MediaTime?
    var end: MediaTime?
    var hasTimestamps = true
    /// Shortest duration that a packet states; nil if none does.
    private(set) var shortestLength: MediaTime?
    /// Total duration of all packets, as far as they state it.
    private(set) var totalLength = MediaTime.zero
    /// Whether presentation order equals decoding order, as far as the headers tell.
    var keepsOrder = false
    /// Whether some keyframe packets have no presentation time.
    var hasVagueKeys = false
    /// Whether some pictures after the first keyframe packet have no presentation time.
    private(set) var hasVaguePictures = false
    var holes: [SourceHole] = []
    var continuity = SoundContinuity()
    /// Whether no keyframe has followed the newest gap yet.
    private var isBehindHole = false
    /// Number of audio packets since the newest gap, or since a parser last lost sync after the
    /// gap.
    private var unsettled = 0
    /// How long a parser may take after a gap to find audio sync again.
    private static let settling = MediaTime(value: 1, timescale: 1)
    /// Rounding tolerance for the times of consecutive packets.
    private static let jitter = MediaTime(value: 3, timescale: 1000)
    /// Decoding time of the newest packet on the raw clock, its end, and the shortest step so far.
    private var newest: MediaTime?
    private var newestEnd: MediaTime?
    private var shortestStep: MediaTime?
    /// Longest step between two decoding times, or longest packet duration.
    private(set) var longestStep = MediaTime.zero

    init(isBroadcast: Bool = false) {
        self.isBroadcast = isBroadcast
    }

    /// Returns whether a decoding time comes within two steps of the newest, so that nothing is
    /// missing between them.
    func follows(_ time: MediaTime) -> Bool {
        guard let newest, let shortestStep else { return true }
        return time - newest <= shortestStep + shortestStep
    }

    /// Adds the duration that a packet states.
    mutating func note(length: MediaTime) {
        guard length > .zero else { return }
        shortestLength = min(shortestLength ?? length, length)
        totalLength = totalLength + length
    }

    /// Records the decoding time and the duration of the newest packet.
    mutating func note(_ time: MediaTime, lasting length: MediaTime, isSound: Bool = false) {
        if isSound { settle(at: time) }
        newestEnd = time + length
        longestStep = max(longestStep, length)
        if let newest, time > newest {
            shortestStep = min(shortestStep ?? time - newest, time - newest)
            longestStep = max(longestStep, time - newest)
        }
        newest = time
    }

    /// Adds invalid audio packets after a gap to the gap: a parser out of sync creates them, and
    /// their times do not match.
    private mutating func settle(at time: MediaTime) {
        guard let last = holes.indices.last, time - holes[last].end < Self.settling else { return }
        if let newestEnd, unsettled > 0 {
            let step = max(time - newestEnd, newestEnd - time)
            if step > Self.jitter {
                holes[last].packets += unsettled
                holes[last].end = max(holes[last].end, time)
                unsettled = 0
            }
        }
        unsettled += 1
    }

    /// Records a gap before a packet with this decoding time, if there is one; call before `count`.
    mutating func noteHole(before time: MediaTime, epoch: Int) {
        guard isBroadcast, let newest, let shortestStep, shortestStep > .zero else { return }
        let least = max(
            SourceHole.least, MediaTime(seconds: shortestStep.seconds * Double(Self.holeSteps)))
        guard time - newest > least else { return }
        holes.append(
            SourceHole(
                start: newest + shortestStep, end: time, epoch: epoch, packets: suspects.count + 2,
                isMarked: !suspects.isEmpty))
        suspects.removeAll()
        isBehindHole = true
        unsettled = 0
    }

    /// Counts one packet.
    ///
    /// The counters of a transport stream also break at a splice. After a splice, a keyframe
    /// follows in time, or a new clock begins. A short gap that happens to end at a keyframe is
    /// damage.
    mutating func count(
        _ packet: borrowing Packet, _ kind: StreamKind, isBare: Bool, follows: Bool
    ) {
        packets += 1
        bytes += Int64(packet.byteCount)
        let isDamaged = packet.isCorrupt && !(isBare && kind == .audio)
        if kind == .video {
            opening.note(packet)
            if packet.isKey {
                if !follows { corruptPackets += suspects.count }
                suspects.removeAll()
            }
            let newest = packets
            if opening.hasKey || !isBroadcast { judgeSuspects { newest - $0 > Self.spliceReach } }
        } else if !isDamaged, let last = suspects.last, packets - last >= Self.spliceReach {
            if isBroadcast, suspects.first == 1 { finish() }
            judgeSuspects { _ in true }
        }
        if isDamaged { suspects.append(packets) }
        if kind == .video, opening.hasKey, packet.ptsTicks == nil { hasVaguePictures = true }
        if packet.isKey {
            if packet.ptsTicks == nil { hasVagueKeys = true }
            isBehindHole = false
        }
        if isBehindHole, !holes.isEmpty { holes[holes.count - 1].packets += 1 }
    }

    /// Judges the remaining suspects at an end of the source.
    mutating func finish() {
        if isBroadcast { cutPackets += suspects.count } else { corruptPackets += suspects.count }
        suspects.removeAll()
    }

    private mutating func judgeSuspects(isDamage: (Int) -> Bool) {
        let judged = suspects.filter(isDamage)
        guard !judged.isEmpty else { return }
        suspects.removeAll(where: isDamage)
        corruptPackets += judged.count
    }
}
