internal import TakeupFFmpeg

/// Holds one packet that waits among others: an array cannot hold what cannot be copied.
final class PacketSlot {
    var packet: Packet?

    init(_ packet: consuming Packet? = nil) {
        self.packet = consume packet
    }
}
