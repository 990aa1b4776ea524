internal import TakeupFFmpeg

/// Codes sound with the search of FFmpeg's AAC encoder that suits it (decision 15).
///
/// The fast search comes nearer to speech and music at every rate, in a third of the time. But it squeezes a tone of
/// more than half of full scale, whose lines exceed what it counts with. The careful one does not, where it has bits.
/// Such tones are coded by it: an encoder takes over that was given the blocks before as well. Both choose windows by
/// the sound alone, so that the packets of one fit to those of the other.
final class SoundCoder {
    /// The strongest line that the fast search keeps, of a sine of full scale; it loses 0.8 dB of one of 0.61.
    private static let tonalLimit: Float = 0.47
    /// Blocks without a strong tone after which the fast search goes on.
    private static let holdBlocks = 8
    /// Blocks that an encoder is given before the first whose packets are used, so that it is in step by then.
    private static let leadBlocks = 4

    private let encoding: AudioEncoding
    private let meter: ToneMeter?
    private var encoder: Encoder
    private var search = AudioEncoding.Search.fast
    private var calmBlocks = 0
    private var recent: [HeldBlock] = []
    /// Of the first packet that is not given out yet.
    private var nextTicks = Int64.min

    /// The encoder is opened with the encoding's settings for the fast search, and is this coder's alone.
    ///
    /// - Throws: `FFmpegError` with `.allocate`.
    init(_ encoding: AudioEncoding, encoder: Encoder) throws(FFmpegError) {
        self.encoding = encoding
        self.encoder = encoder
        meter =
            encoding.encoder == "aac" && encoder.frameSize == ToneMeter.blockLength
            ? try ToneMeter(channels: encoding.channels) : nil
    }

    /// Samples that every block but the last must have; 0 when any number will do.
    var blockLength: Int { encoder.frameSize }

    /// Codes a block.
    ///
    /// - Parameters:
    ///   - block: With its time in samples; follows the one before without a gap.
    ///   - give: Takes each packet that comes out.
    /// - Throws: `FFmpegError` with `.encode`, or one of another encoder's opening.
    func encode(
        _ block: borrowing Frame, _ give: (consuming Packet) -> Void
    ) throws(FFmpegError) {
        if let meter {
            let isTonal = meter.strongestTone(block, above: Self.tonalLimit) > Self.tonalLimit
            calmBlocks = isTonal ? 0 : calmBlocks + 1
            let isCareful = isTonal || (search == .careful && calmBlocks <= Self.holdBlocks)
            if isCareful != (search == .careful) {
                try change(to: isCareful ? .careful : .fast, before: block)
            } else if nextTicks == .min {
                try lead(HeldBlock(block.duplicate()))
            }
            recent.append(HeldBlock(try block.duplicate()))
            if recent.count > Self.leadBlocks { recent.removeFirst() }
        }
        try send(block, give)
    }

    /// Codes what is left.
    func finish(_ give: (consuming Packet) -> Void) throws(FFmpegError) {
        try encoder.finish()
        try drain(give)
    }

    private func send(
        _ block: borrowing Frame, _ give: (consuming Packet) -> Void
    ) throws(FFmpegError) {
        while try !encoder.send(block) { try drain(give) }
        try drain(give)
    }

    private func drain(_ give: (consuming Packet) -> Void) throws(FFmpegError) {
        while true {
            let packet = try Packet()
            guard try encoder.receive(into: packet) else { return }
            // What a new encoder makes of its lead was given out before, or lies before the beginning.
            let ticks = packet.ptsTicks ?? nextTicks
            guard ticks >= nextTicks else { continue }
            nextTicks = ticks + 1
            give(packet)
        }
    }

    /// Goes on with another encoder, which is given what came before the block.
    private func change(
        to search: AudioEncoding.Search, before block: borrowing Frame
    ) throws(FFmpegError) {
        self.search = search
        encoder = try Encoder(encoding.settings(search: search))
        if recent.count < Self.leadBlocks { try lead(HeldBlock(block.duplicate())) }
        for held in recent { try send(held.frame) { _ in } }
    }

    /// Continues the beginning of the sound backwards: an onset out of nothing comes out too loud.
    private func lead(_ block: HeldBlock) throws(FFmpegError) {
        var before = recent.first ?? block
        let length = Int64(before.frame.sampleCount)
        guard length == ToneMeter.blockLength else { return }
        let start = before.frame.ptsTicks ?? 0
        nextTicks = max(nextTicks, start - length)
        var mirrors: [HeldBlock] = []
        for place in 1...Int64(Self.leadBlocks - recent.count) {
            before = HeldBlock(try before.frame.mirrored())
            before.frame.ptsTicks = start - place * length
            mirrors.append(before)
        }
        for mirror in mirrors.reversed() { try send(mirror.frame) { _ in } }
    }
}

/// A block that is kept for an encoder that may come.
private final class HeldBlock {
    let frame: Frame

    init(_ frame: consuming Frame) {
        self.frame = frame
    }
}
