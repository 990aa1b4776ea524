internal import TakeupTimeline

/// What reading every packet of one stream found.
struct StreamScan: Sendable, Equatable {
    /// How many packets before a splice the mark of a missing byte may lie: FFmpeg's parser holds one back.
    static let spliceReach = 2

    var packets = 0
    /// Packets with bytes missing; the last before a splice, where another stream begins, is not one.
    var corruptPackets = 0
    /// Numbers of packets that seem damaged, so soon before the newest that a splice may explain it.
    var suspects: [Int] = []
    /// Packets before the first keyframe, which no decoder can show.
    var packetsBeforeKey = 0
    var hasSeenKey = false
    /// On the source's continuous clock; nil without a timestamp.
    var start: MediaTime?
    var end: MediaTime?
    var hasTimestamps = true
    /// Whether pictures are shown in the order in which they are decoded, as far as their headers tell.
    var keepsOrder = false
    /// Whether some key packets come without a presentation time.
    var hasVagueKeys = false
    /// Decoding time of the newest packet, on the raw clock, and the shortest step between two so far.
    private var newest: MediaTime?
    private var shortestStep: MediaTime?
    /// The longest step between the decoding times of two packets, or length of one.
    private(set) var longestStep = MediaTime.zero

    /// Whether a decoding time comes within two steps of the newest, so that nothing can be missing between.
    func follows(_ time: MediaTime) -> Bool {
        guard let newest, let shortestStep else { return true }
        return time - newest <= shortestStep + shortestStep
    }

    /// Takes in the decoding time of the newest packet, and how long it lasts.
    mutating func note(_ time: MediaTime, lasting length: MediaTime) {
        longestStep = max(longestStep, length)
        if let newest, time > newest {
            shortestStep = min(shortestStep ?? time - newest, time - newest)
            longestStep = max(longestStep, time - newest)
        }
        newest = time
    }
}
