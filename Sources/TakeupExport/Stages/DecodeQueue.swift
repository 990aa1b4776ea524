internal import TakeupFFmpeg

/// Delays a video track's packets until their decoding times are known.
struct DecodeQueue {
    private var order: DecodeOrder
    private var held: [PacketSlot] = []

    init(_ order: DecodeOrder) {
        self.order = order
    }

    mutating func push(_ packet: consuming Packet) {
        order.add(pts: packet.ptsTicks, dts: packet.dtsTicks, duration: packet.durationTicks)
        held.append(PacketSlot(packet))
    }

    /// - Parameter atEnd: Whether no more packets follow.
    /// - Returns: The next packet with both times; nil if it must wait or none is left.
    mutating func pop(atEnd: Bool) -> Packet? {
        guard atEnd || order.isReady, let times = order.next(), !held.isEmpty,
            let packet = held.removeFirst().packet.take()
        else { return nil }
        packet.ptsTicks = times.pts
        packet.dtsTicks = times.dts
        return packet
    }
}
