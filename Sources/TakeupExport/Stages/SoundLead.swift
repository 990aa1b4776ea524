internal import TakeupFFmpeg
internal import TakeupTimeline

/// The sound before a copied cut: it prepares the decoder, so that the first block of the cut is right, and an edit
/// list hides it.
///
/// Players count the hidden part in samples. If a hole follows the sound before the cut, they would hide what comes
/// behind the hole: such sound is left out.
struct SoundLead: Equatable {
    /// Blocks that wait at most until it is decided what is left out: the longest lead is 0.3 s.
    static let mostWaiting = 64

    /// Where the cut starts, in ticks.
    private let start: Int64
    /// When the blocks so far begin, in ticks.
    private var starts: [Int64] = []
    private var isDecided: Bool

    /// - Parameters:
    ///   - start: Where the cut starts, in ticks.
    ///   - hasEqualBlocks: Whether all blocks have as many samples: else nothing is left out.
    init(start: Int64, hasEqualBlocks: Bool) {
        self.start = start
        isDecided = !hasEqualBlocks
    }

    /// Takes the next block of the track.
    ///
    /// - Parameter block: When it begins, in ticks.
    /// - Returns: How many of the first blocks are useless, once that is certain; until then the blocks wait.
    mutating func useless(with block: Int64) -> Int? {
        guard !isDecided else { return 0 }
        starts.append(block)
        let isBehind = starts.count > 1 && starts[starts.count - 2] >= start
        return isBehind || starts.count >= Self.mostWaiting ? uselessAtEnd() : nil
    }

    /// - Returns: How many of the blocks that wait are useless, when no more follow.
    mutating func uselessAtEnd() -> Int {
        guard !isDecided else { return 0 }
        isDecided = true
        let steps = zip(starts, starts.dropFirst()).map { $1 - $0 }.sorted()
        guard !steps.isEmpty else { return 0 }
        // Of two different steps the longer one has the hole.
        let length = steps[(steps.count - 1) / 2]
        let drawnOut = starts.indices.dropLast().last { place in
            let end = starts[place].addingClamped(length)
            // Containers and clocks round times, by far less than half a block.
            return end <= start && starts[place + 1].subtractingClamped(end) > length / 2
        }
        return drawnOut.map { $0 + 1 } ?? 0
    }

    /// Whether a reader gives blocks of sound that all have as many samples.
    static func hasEqualBlocks(_ reader: SegmentReader) throws(FFmpegError) -> Bool {
        let codec = reader.stream.codec
        guard codec == "flac" else {
            return ["aac", "ac3", "alac", "dts", "eac3", "mp1", "mp2", "mp3"].contains(codec)
        }
        // Its configuration begins with the lengths of its shortest and of its longest block.
        let configuration = try reader.parameters().extradata
        return configuration.count >= 4 && configuration[0..<2] == configuration[2..<4]
    }

    /// How much sound before the cut the decoder must have heard.
    ///
    /// - Note: Source: RFC 7845 §4.6: 80 ms for Opus. ISO 11172-3 §2.4.2.7: a block of MP3 may begin 511 bytes back,
    ///   9 blocks at 32 kb/s and 44.1 kHz. Other lossy codecs overlap two blocks.
    static func time(_ codec: String) -> MediaTime {
        switch codec {
        case "flac", "alac": .zero
        case "mp3": MediaTime(value: 3, timescale: 10)
        case "opus": MediaTime(value: 8, timescale: 100)
        default: MediaTime(value: 5, timescale: 100)
        }
    }
}
