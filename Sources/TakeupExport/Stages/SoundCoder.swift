internal import TakeupFFmpeg

/// Encodes sound with the more suitable search of FFmpeg's AAC encoder (decision 15).
///
/// The fast search is closer to speech and music at every bit rate, in a third of the time. But it
/// compresses a tone of more than half of full scale, because its lines exceed the encoder's range.
/// The careful search keeps strong tones if it has enough bits, so it encodes them. The switch uses
/// a second encoder that also received the blocks before. Both encoders choose windows from the
/// sound alone, so their packets fit together.
final class SoundCoder {
    /// Strongest line that the fast search keeps, relative to a full-scale sine; a line of 0.61
    /// loses 0.8 dB.
    private static let tonalLimit: Float = 0.47
    /// Number of blocks without a strong tone before the switch back to the fast search.
    private static let holdBlocks = 8
    /// Number of blocks that an encoder receives before its first used packets, to be in sync by
    /// then.
    private static let leadBlocks = 4

    private let encoding: AudioEncoding
    private let meter: ToneMeter?
    private var encoder: Encoder
    private var search = AudioEncoding.Search.fast
    private var calmBlocks = 0
    private var recent: [HeldBlock] = []
    /// Packets from this presentation time on are not returned yet.
    private var nextTicks = Int64.min

    /// Creates the coder; the encoder must be opened for the fast search and belong to this coder
    /// only.
    ///
    /// - Throws: `FFmpegError` with `.allocate`.
    init(_ encoding: AudioEncoding, encoder: Encoder) throws(FFmpegError) {
        self.encoding = encoding
        self.encoder = encoder
        meter =
            encoding.encoder == "aac" && encoder.frameSize == ToneMeter.blockLength
            ? try ToneMeter(channels: encoding.channels) : nil
    }

    /// Required samples per block, except the last; 0 if any number will do.
    var blockLength: Int { encoder.frameSize }

    /// Encodes a block.
    ///
    /// - Parameters:
    ///   - block: A block with its time in samples, directly after the previous block.
    ///   - give: Receives each encoded packet.
    /// - Throws: `FFmpegError` with `.encode`, or an error from opening another encoder.
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

    /// Encodes the remaining sound.
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
            // A new encoder's first packets were already returned by the old one, or lie before the
            // beginning.
            let ticks = packet.ptsTicks ?? nextTicks
            guard ticks >= nextTicks else { continue }
            nextTicks = ticks + 1
            give(packet)
        }
    }

    /// Switches to another encoder, which first receives the blocks before the current one.
    private func change(
        to search: AudioEncoding.Search, before block: borrowing Frame
    ) throws(FFmpegError) {
        self.search = search
        encoder = try Encoder(encoding.settings(search: search))
        if recent.count < Self.leadBlocks { try lead(HeldBlock(block.duplicate())) }
        for held in recent { try send(held.frame) { _ in } }
    }

    /// Extends the sound backwards before its beginning, because an onset after nothing is encoded
    /// too loud.
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

/// A block that is kept for a possible new encoder.
private final class HeldBlock {
    let frame: Frame

    init(_ frame: consuming Frame) {
        self.frame = frame
    }
}
