internal import TakeupFFmpeg
internal import TakeupTimeline

/// All facts that were read from a source, before any judgement.
struct InspectionFacts {
    var name: String
    var container: String
    var byteCount: Int64?
    /// End of the file as the container declares it, in bytes.
    var declaredEnd: Int64?
    /// The fault in the chain of container elements.
    var fault: ContainerWalk.Fault?
    /// The fault in the timestamps of a Matroska file.
    var clockFault: MatroskaWalk.ClockFault?
    /// The number of frames that an MP3 states.
    var statedFrames: Int?
    /// Where a second picture begins that FFmpeg does not decode.
    var followingPicture: Int64?
    /// The number of pictures of a PPM, PGM or PBM file with white space behind the last one.
    var picturesBeforeSpace: Int?
    /// Where the timecode of raw DV jumps ahead.
    var timecodeJumps = DVTimecodes.Jumps()
    /// The chunks of an AVI file.
    var chunks: AVIChunks?
    var declaredDuration: MediaTime?
    var streams: [StreamDescription]
    var chapters: [Demuxer.Chapter]
    var metadata: [String: String]
    var mayJump: Bool
    var lacksTimestamps: Bool
    var lacksHeader: Bool
    /// The index check of each stream, if the container has a complete index.
    var indexes: [Int: IndexCheck] = [:]
    var firstFrames: [Int: FirstFrame] = [:]
    var openings: [Int: TrackOpening] = [:]
    var encrypted: Set<Int> = []
    /// Streams with several different sample descriptions.
    var variedEntries: Set<Int> = []
    /// Why the whole source counts as protected; nil if it does not.
    var protection: String?
    var decoderFailures: [Int: String] = [:]
    var scan: SourceScan?
    var sample: PacketSample?
    /// The gaps between packets of a damaged container.
    var gaps: GapMeter?
    var scanTypes: [Int: ScanType] = [:]

    init(
        name: String, demuxer: Demuxer, byteCount: Int64?, declaredEnd: Int64?,
        fault: ContainerWalk.Fault?
    ) {
        self.name = name
        self.byteCount = byteCount
        self.declaredEnd = declaredEnd
        self.fault = fault
        container = demuxer.container
        declaredDuration = demuxer.duration
        streams = demuxer.streams
        chapters = demuxer.chapters
        metadata = demuxer.metadata
        mayJump = demuxer.mayJump
        lacksTimestamps = demuxer.lacksTimestamps
        lacksHeader = demuxer.lacksHeader
        guard isMovie else { return }
        for stream in streams {
            indexes[stream.index] = IndexCheck(demuxer, stream: stream, byteCount: byteCount)
        }
    }

    /// Reads the facts that only the container's elements show.
    mutating func look(into window: ByteWindow) {
        if container == "mp3" {
            statedFrames = EndProof.frames(window, UnwrittenParts.media(window).start)
        }
        followingPicture = FollowingPicture.find(window, container)
        picturesBeforeSpace = PixmapWalk(window, container)?.picturesBeforeSpace()
        if container == "dv" { timecodeJumps = DVTimecodes(window).jumps() }
        if container == "avi" { chunks = AVIChunks(window) }
        if isMatroska { clockFault = MatroskaWalk(window).clockFault() }
    }

    /// Corrects the frame rates of a stream without timestamps, from its packet durations.
    ///
    /// FFmpeg 7 counts fields of raw H.264 in one of its rates and uses 25 for the other, whatever
    /// the headers say. A picture that repeats a field lasts longer than the others, so the
    /// shortest duration counts.
    mutating func correctRates() {
        guard lacksTimestamps else { return }
        for place in streams.indices where streams[place].kind == .video {
            guard let length = scan?.streams[streams[place].index]?.shortestLength else { continue }
            let rate = Ratio(length.timescale, length.value)
            (streams[place].nominalFrameRate, streams[place].averageFrameRate) = (rate, rate)
        }
    }

    var isMovie: Bool { container.contains("mp4") }
    /// Whether the source is a broadcast recording, which starts and stops anywhere.
    var isBroadcast: Bool { Broadcast.isOne(container) }
    var isMatroska: Bool { container.contains("matroska") }

    /// Whether an MP4 stores its samples in fragments; the index then knows only the first.
    var isFragmented: Bool {
        isMovie
            && streams.contains {
                guard $0.kind == .video || $0.kind == .audio else { return false }
                return $0.declaredPackets == nil
            }
    }

    /// Whether only reading every packet gives durations, counts and clock jumps.
    var needsScan: Bool {
        if isMovie { return isFragmented }
        return isCut || clockFault == .restart || !(isMatroska && declaredDuration != nil)
    }

    /// Whether the container declares more bytes than exist.
    private var isCut: Bool { declaredEnd.map { $0 > byteCount ?? .max } ?? false }

    /// Whether packets may be missing in the middle; only timestamps show this.
    var needsGaps: Bool {
        // AVI counts its pictures, and ASF packets state their durations.
        guard !isMovie, !isBroadcast, !["avi", "asf"].contains(container) else { return false }
        // Each FLAC frame states which samples it contains.
        return fault != nil || isMatroska && isCut || container == "flac"
    }

    /// Whether the bit rate of some track is known only from packets.
    var needsSample: Bool {
        scan == nil
            && streams.contains {
                ($0.kind == .video && !$0.isAttachedPicture || $0.kind == .audio)
                    && $0.bitRate == nil
            }
    }

    mutating func measureScan(_ types: [Int: ScanType]) {
        scanTypes = types
    }

    /// Returns whether a video track may be interlaced although nothing says so, or although its
    /// tags deny it.
    ///
    /// Standard definition is always checked, which costs little. High definition is checked only
    /// if the codec has no tag.
    func isScanDoubtful(_ stream: StreamDescription) -> Bool {
        guard stream.kind == .video, !stream.isAttachedPicture,
            ["unknown", "progressive"].contains(stream.fieldOrder),
            let first = firstFrames[stream.index], !first.isInterlaced
        else { return false }
        if [480, 486, 576].contains(stream.height) { return stream.width >= 352 }
        let unmarked = [
            "rawvideo", "dvvideo", "mjpeg", "huffyuv", "ffvhuff", "ffv1", "utvideo", "v210",
            "dnxhd",
            "prores", "qtrle",
        ]
        return stream.height == 1080 && stream.fieldOrder == "unknown"
            && unmarked.contains(stream.codec)
    }
}
