internal import TakeupFFmpeg

/// Packets at the ends of a copied track that no decoder accepts.
///
/// The packets are parts of blocks that the recording cut off, or junk after the last block.
struct UnusableEnds: Sendable, Equatable {
    var first = 0
    var last = 0
    /// Whether the packet of FLAC's last block also contains junk after the block.
    var hasJunk = false

    var count: Int { first + last }
}

/// Removes the first and the last packets of a source's track.
struct TrimmedPackets: PacketSupply {
    private var supply: any PacketSupply
    private let ends: UnusableEnds
    private var held: [PacketSlot] = []
    private var taken = 0

    init(_ supply: any PacketSupply, _ ends: UnusableEnds) {
        self.supply = supply
        self.ends = ends
    }

    mutating func push(_ packet: consuming Packet) {
        taken += 1
        guard taken > ends.first else { return }
        held.append(PacketSlot(packet))
        guard held.count > ends.last + (ends.hasJunk ? 1 : 0) else { return }
        if let earlier = held.removeFirst().packet.take() { supply.push(earlier) }
    }

    mutating func pop(atEnd: Bool) -> Packet? {
        if atEnd, ends.hasJunk, !held.isEmpty, let last = held.removeFirst().packet.take() {
            if let end = last.withBytes({ FLACFrame.end(in: $0) }) { last.keepFirst(bytes: end) }
            supply.push(last)
        }
        return supply.pop(atEnd: atEnd)
    }
}
