internal import TakeupFFmpeg

/// Holds one waiting packet, because an array cannot hold a noncopyable value.
final class PacketSlot {
    var packet: Packet?

    init(_ packet: consuming Packet? = nil) {
        self.packet = consume packet
    }
}
