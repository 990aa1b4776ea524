internal import TakeupFFmpeg
internal import TakeupTimeline

/// The counts of one track's stage: what it read, lost and made.
struct TrackTally: Sendable, Equatable {
    var packets = 0
    /// Number of packets that show nothing: empty ones, and those before an edit list's start.
    var hiddenPackets = 0
    /// Number of packets that the decoder refused.
    var refusedPackets = 0
    /// Refused packets before the first frame, as in a stream that starts within a GOP.
    var refusedBeforeFirst = 0
    /// Refused audio packets after the last block.
    private(set) var refusedAtEnd = 0
    /// Audio blocks with concealed damage directly before the end, or before the refused packets
    /// there.
    private(set) var damagedAtEnd = 0
    /// Number of frames with concealed damage.
    var damagedFrames = 0
    /// Number of the last decoded frame with concealed damage, counted from 1.
    var lastDamagedFrame = 0
    var decodedFrames = 0
    /// Number of log lines in which the video decoder complained about its input.
    var complaints = 0
    /// The video packets with complaints, as far as these prove a fault of the source.
    var faults = PictureFaults()
    var corruptPackets = 0
    /// Number of frames decoded within the range.
    var frames = 0
    /// Why reading stopped before the end; nil if it did not.
    var readFailure: String?
    /// Whether the source was read from its start to its end.
    var isWhole = true
    /// Whether no undamaged picture came at or before the start of a cut, from any entry.
    var beginsLate = false
    /// Time of the last decoded frame, from the segment's start.
    var lastTime = MediaTime.zero
    /// Silence inserted into gaps, in seconds of media.
    var insertedSilence = MediaTime.zero
    /// Sound left out because its times overlap earlier sound, in seconds of media.
    var overlap = MediaTime.zero

    /// Whether the decoder found a fault.
    var hasFaults: Bool {
        complaints + damagedFrames + refusedPackets + refusedBeforeFirst > 0
    }

    /// Whether the video decoder may have found a fault, so that its count of concealed frames
    /// matters.
    var isDoubtful: Bool { hasFaults || decodedFrames + hiddenPackets < packets }

    /// Counts an audio packet that the decoder refused.
    ///
    /// - Throws: The error, if it is not a decoding error.
    mutating func noteSound(_ error: FFmpegError) throws(FFmpegError) {
        guard error.operation == .decode, error.status != .outOfMemory else { throw error }
        if frames == 0 {
            refusedBeforeFirst += 1
        } else {
            refusedPackets += 1
            refusedAtEnd += 1
        }
    }

    /// Counts an audio block.
    mutating func countSound(isDamaged: Bool) {
        if isDamaged { damagedFrames += 1 }
        damagedAtEnd = isDamaged ? damagedAtEnd + 1 : 0
        frames += 1
        refusedAtEnd = 0
    }

    /// Number of damaged audio blocks that are not at an end of the track.
    var damagedWithin: Int { refusedPackets - refusedAtEnd + damagedFrames }

    /// 1 if the last audio block is damaged and has a packet of its own, as if it was cut; else 0.
    private var cutBlock: Int {
        isWhole && frames + refusedPackets + refusedBeforeFirst == packets
            ? min(1, damagedAtEnd) : 0
    }

    /// - Parameters:
    ///   - kind: Whether the track holds pictures or sound.
    ///   - mayBeCut: Whether the last block of sound may be cut.
    /// - Returns: For sound, the packets that the decoder refused before the first and after the
    ///   last block, and a cut last block; for video, a faulty last picture. nil if both ends are
    ///   intact.
    func unusableEnds(_ kind: MediaType, mayBeCut: Bool) -> UnusableEnds? {
        let last = refusedAtEnd + (mayBeCut ? cutBlock : 0)
        let ends =
            kind == .video
            ? UnusableEnds(last: isEndFaulty ? 1 : 0)
            : UnusableEnds(first: refusedBeforeFirst, last: last)
        return ends.count > 0 ? ends : nil
    }

    /// Whether the last picture is faulty, or one that reordering may have moved behind it.
    private var isEndFaulty: Bool {
        faults.isLastFaulty
            || damagedFrames > 0 && lastDamagedFrame >= decodedFrames - LossAssessor.reorder
    }

    /// - Parameter mayBeCut: Whether to ignore refused packets before the first and after the last
    ///   block, and a cut last block.
    /// - Returns: The number of faulty audio blocks.
    func faultyBlocks(mayBeCut: Bool) -> Int {
        let ends = mayBeCut ? refusedAtEnd + refusedBeforeFirst + cutBlock : 0
        let blocks = damagedFrames + refusedPackets + refusedBeforeFirst - ends
        // Some faults appear only in the log.
        return blocks == 0 && ends == 0 ? min(1, complaints) : blocks
    }
}
