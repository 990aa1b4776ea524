internal import TakeupFFmpeg
internal import TakeupTimeline

/// All that was read of a source, before it is judged.
struct InspectionFacts {
    var name: String
    var container: String
    var byteCount: Int64?
    /// Where the container says that it ends.
    var declaredEnd: Int64?
    /// Where the chain of the container's elements breaks.
    var fault: ContainerWalk.Fault?
    /// What is wrong with the times of a Matroska file.
    var clockFault: MatroskaWalk.ClockFault?
    /// The chunks of an AVI.
    var chunks: AVIChunks?
    var declaredDuration: MediaTime?
    var streams: [StreamDescription]
    var chapters: [Demuxer.Chapter]
    var metadata: [String: String]
    var mayJump: Bool
    var lacksTimestamps: Bool
    var lacksHeader: Bool
    /// By stream, where the container keeps a whole index.
    var indexes: [Int: IndexCheck] = [:]
    var firstFrames: [Int: FirstFrame] = [:]
    var openings: [Int: TrackOpening] = [:]
    var encrypted: Set<Int> = []
    /// Streams whose samples have several different descriptions.
    var variedEntries: Set<Int> = []
    /// Why the whole source counts as protected; nil when it does not.
    var protection: String?
    var decoderFailures: [Int: String] = [:]
    var scan: SourceScan?
    var sample: PacketSample?
    /// What is missing between the packets of a damaged container.
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

    /// Takes in what only the elements of the container tell.
    mutating func look(into window: ByteWindow) {
        if container == "avi" { chunks = AVIChunks(window) }
        if isMatroska { clockFault = MatroskaWalk(window).clockFault() }
    }

    /// Takes the picture rates of a stream without times from the lengths of its packets.
    ///
    /// FFmpeg 7 counts the fields of raw H.264 in one of its rates, and takes 25 for the other, whatever the headers
    /// say. A picture that repeats a field lasts longer than the rest.
    mutating func correctRates() {
        guard lacksTimestamps else { return }
        for place in streams.indices where streams[place].kind == .video {
            guard let length = scan?.streams[streams[place].index]?.shortestLength else { continue }
            let rate = Ratio(length.timescale, length.value)
            (streams[place].nominalFrameRate, streams[place].averageFrameRate) = (rate, rate)
        }
    }

    var isMovie: Bool { container.contains("mp4") }
    /// Whether it is a stream that is tuned into and out of anywhere.
    var isBroadcast: Bool { Broadcast.isOne(container) }
    var isMatroska: Bool { container.contains("matroska") }

    /// Whether an MP4's samples are told in fragments, of which the index knows only the first.
    var isFragmented: Bool {
        isMovie
            && streams.contains {
                guard $0.kind == .video || $0.kind == .audio else { return false }
                return $0.declaredPackets == nil
            }
    }

    /// Whether only reading every packet tells durations, counts and jumps.
    var needsScan: Bool {
        if isMovie { return isFragmented }
        return isCut || clockFault == .restart || !(isMatroska && declaredDuration != nil)
    }

    /// Whether the container declares more bytes than there are.
    private var isCut: Bool { declaredEnd.map { $0 > byteCount ?? .max } ?? false }

    /// Whether something may be missing between packets, which only their times tell.
    var needsGaps: Bool {
        // AVI counts its pictures, and the packets of ASF tell for how long they last.
        guard !isMovie, !isBroadcast, !["avi", "asf"].contains(container) else { return false }
        // Each frame of FLAC tells which samples it holds.
        return fault != nil || isMatroska && isCut || container == "flac"
    }

    /// Whether only packets tell the bit rate of a track.
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

    /// Whether a picture track may be interlaced though nothing says so, or though it says otherwise.
    ///
    /// Lines of standard definition are looked at whatever they are marked as, which costs little; those of
    /// high definition only where the codec has no mark.
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
