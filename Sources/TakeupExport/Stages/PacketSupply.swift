internal import TakeupFFmpeg

/// Supplies the packets of a track in order, with times and durations that the source does not
/// state.
protocol PacketSupply {
    /// Adds the next packet of the source.
    mutating func push(_ packet: consuming Packet)

    /// - Parameter atEnd: Whether no more packets follow.
    /// - Returns: The next packet; nil if it must wait or none is left.
    mutating func pop(atEnd: Bool) -> Packet?
}

extension PacketSupply {
    /// - Returns: The next packet of a reader; nil at the end.
    mutating func next(from reader: SegmentReader) throws(FFmpegError) -> Packet? {
        while true {
            if let packet = pop(atEnd: false) { return packet }
            let packet = try Packet()
            guard try reader.next(packet) else { return pop(atEnd: true) }
            push(packet)
        }
    }
}

/// Supplies the packets unchanged.
struct PlainPackets: PacketSupply {
    private var held: [PacketSlot] = []

    mutating func push(_ packet: consuming Packet) {
        held.append(PacketSlot(packet))
    }

    mutating func pop(atEnd: Bool) -> Packet? {
        held.isEmpty ? nil : held.removeFirst().packet.take()
    }
}

extension DecodeQueue: PacketSupply {}
extension SoundLengths: PacketSupply {}
