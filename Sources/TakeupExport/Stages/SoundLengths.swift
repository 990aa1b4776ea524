internal import TakeupFFmpeg
internal import TakeupTimeline

/// Adds the missing durations of audio blocks: each block lasts until the next one begins.
///
/// FFmpeg gives no durations for FLAC and ALAC from fragmented MP4 and Matroska, nor for FLAC from
/// AVI. The last block is decoded, because no other follows it.
struct SoundLengths {
    private let parameters: CodecParameters
    private let stream: StreamDescription
    private var held: [PacketSlot] = []
    private var length: Int64 = 0

    init(_ stream: StreamDescription, _ parameters: CodecParameters) {
        self.stream = stream
        self.parameters = parameters
    }

    mutating func push(_ packet: consuming Packet) {
        held.append(PacketSlot(packet))
    }

    /// - Parameter atEnd: Whether no more packets follow.
    /// - Returns: The next packet with its duration; nil if it must wait or none is left.
    mutating func pop(atEnd: Bool) -> Packet? {
        guard held.count > 1 || atEnd, !held.isEmpty,
            let packet = held.removeFirst().packet.take()
        else { return nil }
        guard packet.durationTicks <= 0 else { return packet }
        if let start = packet.dtsTicks, let end = held.first?.packet?.dtsTicks {
            if end > start { length = end - start }
        } else if let decoded = decodedLength(packet) {
            length = decoded
        }
        packet.durationTicks = length
        return packet
    }

    /// - Returns: The duration in ticks; nil for a block that cannot be decoded alone.
    private func decodedLength(_ packet: borrowing Packet) -> Int64? {
        guard let rate = stream.audioFormat?.sampleRate, rate > 0,
            let decoder = try? Decoder(parameters, timeBase: stream.timeBase),
            let frame = try? Frame(), (try? decoder.send(packet)) == true
        else { return nil }
        try? decoder.finish()
        var samples: Int64 = 0
        while (try? decoder.receive(into: frame)) == true { samples += Int64(frame.sampleCount) }
        let length = stream.timeBase.ticks(MediaTime(value: samples, timescale: Int64(rate)))
        return length > 0 ? length : nil
    }
}
