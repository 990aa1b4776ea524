internal import TakeupFFmpeg
internal import TakeupTimeline

extension WrittenTrack {
    /// Counts a packet that goes into the output.
    ///
    /// - Returns: Its presentation time.
    mutating func count(_ packet: borrowing Packet, _ base: TimeBase) -> MediaTime {
        let pts = packet.ptsTicks ?? packet.dtsTicks ?? 0
        let decode = packet.dtsTicks ?? pts
        let length = max(0, packet.durationTicks)
        let (begin, finish) = (base.time(pts), base.time(pts + length))
        packets += 1
        bytes += Int64(packet.byteCount)
        start = min(start ?? begin, begin)
        end = max(end ?? finish, finish)
        firstDecode = firstDecode ?? base.time(decode)
        lastDecode = base.time(decode + length)
        return begin
    }
}

extension Packet {
    /// Makes sure that decoding times rise, which rounding to another base may have undone.
    ///
    /// - Returns: The packet's decoding time.
    func keepOrder(after last: Int64?) -> Int64? {
        if let last, let dts = dtsTicks, dts <= last {
            dtsTicks = last + 1
            if let pts = ptsTicks, pts < last + 1 { ptsTicks = last + 1 }
        }
        return dtsTicks
    }
}
