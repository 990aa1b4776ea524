internal import TakeupFFmpeg
internal import TakeupTimeline

/// The sound before a copied cut: it prepares the decoder for the cut's first block, and an edit
/// list hides it.
///
/// Players count the hidden part in samples. If a gap followed this sound before the cut, they
/// would hide sound after the gap; so the sound before the gap is left out.
struct SoundLead: Equatable {
    /// Highest number of blocks that wait for a decision; the longest lead is 0.3 s.
    static let mostWaiting = 64

    /// Start of the cut, in ticks.
    private let start: Int64
    /// Start times of the blocks so far, in ticks.
    private var starts: [Int64] = []
    private var isDecided: Bool

    /// - Parameters:
    ///   - start: Start of the cut, in ticks.
    ///   - hasEqualBlocks: Whether all blocks have equally many samples; otherwise nothing is left
    ///     out.
    init(start: Int64, hasEqualBlocks: Bool) {
        self.start = start
        isDecided = !hasEqualBlocks
    }

    /// Adds the next block of the track.
    ///
    /// - Parameter block: The block's start, in ticks.
    /// - Returns: The number of useless first blocks, once decided; nil while the blocks must wait.
    mutating func useless(with block: Int64) -> Int? {
        guard !isDecided else { return 0 }
        starts.append(block)
        let isBehind = starts.count > 1 && starts[starts.count - 2] >= start
        return isBehind || starts.count >= Self.mostWaiting ? uselessAtEnd() : nil
    }

    /// - Returns: The number of useless blocks among the waiting ones, if no more follow.
    mutating func uselessAtEnd() -> Int {
        guard !isDecided else { return 0 }
        isDecided = true
        let steps = zip(starts, starts.dropFirst()).map { $1 - $0 }.sorted()
        guard !steps.isEmpty else { return 0 }
        // If there are only two steps, the longer one contains the gap.
        let length = steps[(steps.count - 1) / 2]
        let drawnOut = starts.indices.dropLast().last { place in
            let end = starts[place].addingClamped(length)
            // Containers and clocks round times by far less than half a block.
            return end <= start && starts[place + 1].subtractingClamped(end) > length / 2
        }
        return drawnOut.map { $0 + 1 } ?? 0
    }

    /// Returns whether a reader's audio blocks all have equally many samples.
    static func hasEqualBlocks(_ reader: SegmentReader) throws(FFmpegError) -> Bool {
        let codec = reader.stream.codec
        guard codec == "flac" else {
            return ["aac", "ac3", "alac", "dts", "eac3", "mp1", "mp2", "mp3"].contains(codec)
        }
        // FLAC's configuration begins with the lengths of the shortest and the longest block.
        let configuration = try reader.parameters().extradata
        return configuration.count >= 4 && configuration[0..<2] == configuration[2..<4]
    }

    /// Returns how much sound before the cut the decoder needs.
    ///
    /// - Note: Source: RFC 7845 §4.6: 80 ms for Opus. ISO 11172-3 §2.4.2.7: a block of MP3 may
    ///   begin 511 bytes back, 9 blocks at 32 kb/s and 44.1 kHz. Other lossy codecs overlap two
    ///   blocks.
    static func time(_ codec: String) -> MediaTime {
        switch codec {
        case "flac", "alac": .zero
        case "mp3": MediaTime(value: 3, timescale: 10)
        case "opus": MediaTime(value: 8, timescale: 100)
        default: MediaTime(value: 5, timescale: 100)
        }
    }
}
