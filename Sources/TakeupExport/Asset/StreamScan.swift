internal import TakeupFFmpeg
internal import TakeupTimeline

/// What reading every packet of one stream found.
struct StreamScan: Sendable, Equatable {
    /// How many packets before a splice the mark of a missing byte may lie: FFmpeg's parser holds one back.
    static let spliceReach = 2
    /// A step is a hole only beyond so many of the stream's shortest ones.
    private static let holeSteps: Int64 = 4

    /// Whether it is of a broadcast, which is cut anywhere and may have holes.
    let isBroadcast: Bool
    var packets = 0
    /// Of all packets together.
    var bytes: Int64 = 0
    /// Packets with bytes missing; not those beside a splice or a hole, nor at the ends of a broadcast.
    var corruptPackets = 0
    /// Packets with bytes missing at either end, where a broadcast was cut.
    private(set) var cutPackets = 0
    /// Numbers of packets that seem damaged, so soon before the newest that what follows may explain it.
    private var suspects: [Int] = []
    private(set) var opening = TrackOpening()
    /// On the source's continuous clock; nil without a timestamp.
    var start: MediaTime?
    var end: MediaTime?
    var hasTimestamps = true
    /// The shortest length that a packet states; nil where none does.
    private(set) var shortestLength: MediaTime?
    /// How long all packets last together, as far as they state it.
    private(set) var totalLength = MediaTime.zero
    /// Whether pictures are shown in the order in which they are decoded, as far as their headers tell.
    var keepsOrder = false
    /// Whether some key packets come without a presentation time.
    var hasVagueKeys = false
    /// Whether some pictures from the first key packet on come without a presentation time.
    private(set) var hasVaguePictures = false
    var holes: [SourceHole] = []
    var continuity = SoundContinuity()
    /// Whether no keyframe has come since the newest hole.
    private var isBehindHole = false
    /// Packets of sound since the newest hole, or since a parser last lost its place behind it.
    private var unsettled = 0
    /// How long behind a hole a parser may take to find its place in the sound again.
    private static let settling = MediaTime(value: 1, timescale: 1)
    /// What times of packets that follow one another may be rounded by.
    private static let jitter = MediaTime(value: 3, timescale: 1000)
    /// Decoding time of the newest packet, on the raw clock, and the shortest step between two so far.
    private var newest: MediaTime?
    private var newestEnd: MediaTime?
    private var shortestStep: MediaTime?
    /// The longest step between the decoding times of two packets, or length of one.
    private(set) var longestStep = MediaTime.zero

    init(isBroadcast: Bool = false) {
        self.isBroadcast = isBroadcast
    }

    /// Whether a decoding time comes within two steps of the newest, so that nothing can be missing between.
    func follows(_ time: MediaTime) -> Bool {
        guard let newest, let shortestStep else { return true }
        return time - newest <= shortestStep + shortestStep
    }

    /// Takes in the length that a packet states.
    mutating func note(length: MediaTime) {
        guard length > .zero else { return }
        shortestLength = min(shortestLength ?? length, length)
        totalLength = totalLength + length
    }

    /// Takes in the decoding time of the newest packet, and how long it lasts.
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

    /// Counts pieces of sound that a parser makes up behind a hole, which do not follow one another, to the hole.
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

    /// Notes a hole before a packet with this decoding time, if there is one; called before `count`.
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
    /// The counters of a transport stream break off at a splice too, which then begins with a keyframe that
    /// follows in time, or begins a new clock. A short hole that happens to end at a keyframe is damage.
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

    /// Judges what is still open at an end of the source.
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
