/// A picture's packet, as far as a seam depends on it.
struct SeamPacket: Equatable {
    /// Presentation time, in ticks of the output's track, counted on the source's clock.
    let time: Int64
    /// Whether decoding can begin with it, and no later picture is shown before it.
    var isEntry = false
    /// Whether an edit list hides it.
    var isHidden = false
}

/// Finds the first packet of a cut that can be copied, among packets in decoding order.
struct EntrySearch: Equatable {
    /// Highest number of packets to examine.
    static let most = 20_000
    /// Number of consecutive packets behind the end after which no earlier picture can follow: encoders put at most 16
    /// pictures behind one that is shown later.
    static let patience = 64

    let start: Int64
    /// Time from which nothing is shown; nil at the source's end.
    let end: Int64?
    private(set) var entry: Int64?
    /// Whether pictures before the entry are shown in the cut.
    private(set) var hasHead = false
    private(set) var depth = ReorderDepth()
    private var count = 0
    private var behind = 0
    private var hasShown = false

    init(start: Int64, end: Int64?) {
        (self.start, self.end) = (start, end)
    }

    /// - Returns: Whether the next packet matters.
    mutating func take(_ packet: SeamPacket) -> Bool {
        depth.add(packet.time)
        if packet.isEntry, !packet.isHidden, packet.time >= start,
            end.map({ packet.time < $0 }) ?? true
        {
            entry = packet.time
            hasHead = hasShown && packet.time > start
            return false
        }
        hasShown = hasShown || !packet.isHidden
        behind = end.map { packet.time >= $0 } ?? false ? behind + 1 : 0
        count += 1
        return behind < Self.patience && count < Self.most
    }
}

/// Finds the last packet of a cut that can be copied, among packets in decoding order.
///
/// The copied packets hold exactly the pictures that are shown before all others, so nothing hidden remains in the file.
struct StopSearch: Equatable {
    struct Stop: Equatable {
        /// Latest time of all copied packets.
        let last: Int64
        /// Time of the first packet that is not copied; nil at the source's end.
        let next: Int64?
        /// Earliest time of the pictures that are shown and not copied; nil if there are none.
        let tail: Int64?
    }

    let end: Int64?
    private var packets: [SeamPacket] = []
    private(set) var depth = ReorderDepth()
    private var behind = 0
    private(set) var isTooLong = false

    init(end: Int64?) { self.end = end }

    /// - Returns: Whether the next packet matters.
    mutating func take(_ packet: SeamPacket) -> Bool {
        depth.add(packet.time)
        packets.append(packet)
        let isBehind = end.map { packet.time >= $0 } ?? false
        behind = isBehind ? behind + 1 : 0
        isTooLong = packets.count >= EntrySearch.most
        return !(isBehind && packet.isEntry) && behind < EntrySearch.patience && !isTooLong
    }

    /// - Parameter entry: Time of the first copied packet.
    /// - Returns: nil if no packet from the entry on can be the last.
    func stop(from entry: Int64) -> Stop? {
        guard !isTooLong else { return nil }
        // The earliest time from each packet on.
        var earliest = [Int64](repeating: .max, count: packets.count + 1)
        for place in packets.indices.reversed() {
            earliest[place] = min(earliest[place + 1], packets[place].time)
        }
        var latest = Int64.min
        var found: Stop?
        for (place, packet) in packets.enumerated() {
            guard packet.time < end ?? .max, !packet.isHidden || packet.time < entry else { break }
            latest = max(latest, packet.time)
            guard latest >= entry, latest < earliest[place + 1] else { continue }
            let rest = packets[(place + 1)...]
            found = Stop(
                last: latest, next: rest.first?.time,
                tail: rest.filter { !$0.isHidden && $0.time < end ?? .max }.map(\.time).min())
        }
        return found
    }
}

/// The highest number of packets that are decoded before one that is shown earlier.
struct ReorderDepth: Equatable {
    private(set) var pictures = 0
    private var recent: [Int64] = []

    mutating func add(_ time: Int64) {
        pictures = max(pictures, recent.count { $0 > time })
        recent.append(time)
        if recent.count > 32 { recent.removeFirst() }
    }
}
