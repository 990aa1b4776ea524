internal import TakeupFFmpeg
internal import TakeupTimeline

/// The sound before a copied cut: it prepares the decoder, so that the first block of the cut is right, and an edit
/// list hides it.
///
/// Players count the hidden part in samples. If a hole follows the sound before the cut, they would hide what comes
/// behind the hole: such sound is left out.
struct SoundLead: Equatable {
    /// What containers with milliseconds round times by.
    private static let rounding = MediaTime(value: 1, timescale: 1000)

    /// Where the cut starts, in ticks.
    private let start: Int64
    /// A jump of times that is no hole, in ticks.
    private let tolerance: Int64
    /// Of the blocks so far, in ticks; the last two at or behind the start.
    private var starts: [Int64] = []
    private var isDecided: Bool

    /// - Parameters:
    ///   - start: Where the cut starts, in ticks.
    ///   - timeBase: Of the ticks.
    ///   - hasEqualBlocks: Whether all blocks have as many samples: else nothing is left out.
    init(start: Int64, timeBase: TimeBase, hasEqualBlocks: Bool) {
        self.start = start
        tolerance = timeBase.ticks(Self.rounding) + 1
        isDecided = !hasEqualBlocks
    }

    /// Takes the next block of the track.
    ///
    /// - Returns: How many of the first blocks are useless, once that is certain; until then the blocks wait.
    mutating func useless(with block: Int64) -> Int? {
        guard !isDecided else { return 0 }
        starts.append(block)
        guard starts.count > 1, starts[starts.count - 2] >= start else { return nil }
        isDecided = true
        let length = block.subtractingClamped(starts[starts.count - 2])
        let drawnOut = starts.indices.dropLast().last { place in
            let end = starts[place].addingClamped(length)
            return end <= start && starts[place + 1].subtractingClamped(end) > tolerance
        }
        return drawnOut.map { $0 + 1 } ?? 0
    }

    /// Whether all blocks of a track have as many samples.
    static func hasEqualBlocks(_ codec: String) -> Bool {
        ["aac", "ac3", "dts", "eac3", "mp1", "mp2", "mp3"].contains(codec)
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
