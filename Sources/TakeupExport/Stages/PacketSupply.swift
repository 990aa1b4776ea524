internal import TakeupFFmpeg

/// Gives the packets of a segment one after another, with the times and lengths that the source does not tell.
protocol PacketSupply {
    /// - Returns: The next packet that a reader gives; nil at the end.
    mutating func next(from reader: SegmentReader) throws(FFmpegError) -> Packet?
}

/// Gives the packets as they are.
struct PlainPackets: PacketSupply {
    func next(from reader: SegmentReader) throws(FFmpegError) -> Packet? {
        let packet = try Packet()
        guard try reader.next(packet) else { return nil }
        return packet
    }
}

extension DecodeQueue: PacketSupply {}
extension SoundLengths: PacketSupply {}
