internal import TakeupFFmpeg
internal import TakeupTimeline

/// What one track's lane read, lost and made.
struct TrackTally: Sendable, Equatable {
    var packets = 0
    /// Packets that show nothing: empty ones, and those before an edit list's start.
    var hiddenPackets = 0
    /// Packets that the decoder refused.
    var refusedPackets = 0
    /// Refused packets before the first frame, as in a stream that starts in the middle of a group.
    var refusedBeforeFirst = 0
    /// Refused packets of sound behind the last block.
    private(set) var refusedAtEnd = 0
    /// Frames that the decoder patched up.
    var damagedFrames = 0
    /// Which of the decoded frames, from 1, was the last that was patched up.
    var lastDamagedFrame = 0
    var decodedFrames = 0
    /// Lines that the decoder of pictures wrote of faults in its input.
    var complaints = 0
    /// Which packets of pictures those lines were about, as far as that is known to be a fault of the source.
    var faults = PictureFaults()
    var corruptPackets = 0
    /// Frames decoded within the range.
    var frames = 0
    /// Why reading stopped before the end; nil when it did not.
    var readFailure: String?
    /// Whether the source was read from its start to its end.
    var isWhole = true
    /// Whether no sound picture came at or before the start of a cut, from wherever reading began.
    var beginsLate = false
    /// The last decoded moment, from the segment's start.
    var lastTime = MediaTime.zero
    /// Silence put into gaps, in seconds of media.
    var insertedSilence = MediaTime.zero
    /// Sound left out because its times lie over sound that came before, in seconds of media.
    var overlap = MediaTime.zero

    /// Whether the decoder found fault.
    var hasFaults: Bool {
        complaints + damagedFrames + refusedPackets + refusedBeforeFirst > 0
    }

    /// Whether the decoder of pictures may have found fault, so that its count of patched ones matters.
    var isDoubtful: Bool { hasFaults || decodedFrames + hiddenPackets < packets }

    /// Counts a packet of sound that the decoder refused.
    ///
    /// - Throws: The error, if it is of another kind.
    mutating func noteSound(_ error: FFmpegError) throws(FFmpegError) {
        guard error.operation == .decode, error.status != .outOfMemory else { throw error }
        if frames == 0 {
            refusedBeforeFirst += 1
        } else {
            refusedPackets += 1
            refusedAtEnd += 1
        }
    }

    /// Counts a block of sound.
    mutating func countSound(isDamaged: Bool) {
        if isDamaged { damagedFrames += 1 }
        frames += 1
        refusedAtEnd = 0
    }

    /// - Parameter kind: Whether the track holds pictures or sound.
    /// - Returns: The packets that the decoder refused before the first block and behind the last one, or the last
    ///   picture if the decoder found fault with it; nil where both ends are sound.
    func unusableEnds(_ kind: MediaType) -> UnusableEnds? {
        let ends =
            kind == .video
            ? UnusableEnds(last: isEndFaulty ? 1 : 0)
            : UnusableEnds(first: refusedBeforeFirst, last: refusedAtEnd)
        return ends.count > 0 ? ends : nil
    }

    /// Whether the last picture, as far as pictures are decoded in another order than they are shown in, has a fault.
    private var isEndFaulty: Bool {
        faults.isLastFaulty
            || damagedFrames > 0 && lastDamagedFrame >= decodedFrames - LossAssessor.reorder
    }

    /// - Parameter mayBeCut: Whether refused packets before the first block and behind the last one count as none.
    /// - Returns: How many blocks of sound the decoder found fault with.
    func faultyBlocks(mayBeCut: Bool) -> Int {
        let ends = mayBeCut ? refusedAtEnd + refusedBeforeFirst : 0
        let blocks = damagedFrames + refusedPackets + refusedBeforeFirst - ends
        // Some faults are told in words alone.
        return blocks == 0 && ends == 0 ? min(1, complaints) : blocks
    }
}
