internal import TakeupFFmpeg

/// Says how long blocks of sound last whose container does not: each lasts until the next one begins.
///
/// FFmpeg gives no lengths of FLAC and ALAC from fragmented MP4 and Matroska, nor of FLAC from AVI.
struct SoundLengths {
    private let held = PacketSlot()
    private var length: Int64 = 0

    /// - Returns: The next packet that a reader gives, with its length; nil at the end.
    mutating func next(from reader: SegmentReader) throws(FFmpegError) -> Packet? {
        while true {
            let packet = try Packet()
            let isThere = try reader.next(packet)
            guard let before = held.packet.take() else {
                guard isThere else { return nil }
                held.packet = consume packet
                continue
            }
            if isThere, let end = packet.dtsTicks, let start = before.dtsTicks, end > start {
                length = end - start
            }
            if before.durationTicks <= 0 { before.durationTicks = length }
            if isThere { held.packet = consume packet }
            return before
        }
    }
}
