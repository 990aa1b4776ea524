internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Copies the packets of one output track on one lane.
final class CopyStage {
    private let reader: SegmentReader
    private let control: RunControl
    private let output: BoundedQueue<Packet>
    private var placer: PacketPlacer
    /// Gives pictures their decoding times; nil for sound.
    private var queue: DecodeQueue?
    private(set) var tally = TrackTally()

    init(
        _ inputs: RunInputs, segment: TrackSegment, track: Int, isVideo: Bool, control: RunControl,
        output: BoundedQueue<Packet>
    ) throws(FFmpegError) {
        reader = try SegmentReader(
            inputs.sources[segment.source], inputs.assets[segment.source], segment, track: track,
            lead: .zero, cancellation: control.cancellation)
        placer = PacketPlacer(segment, timeBase: reader.stream.timeBase, isVideo: isVideo)
        queue = isVideo ? inputs.assets[segment.source].decodeQueue(of: track) : nil
        self.control = control
        self.output = output
    }

    var timeBase: TimeBase { reader.stream.timeBase }
    var stream: StreamDescription { reader.stream }

    func parameters() throws(FFmpegError) -> CodecParameters { try reader.parameters() }

    /// Copies everything; says so to the next stage at the end.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            var isPast = false
            var skipped = 0
            while !isPast, !control.isStopped {
                guard let packet = try next() else { break }
                switch placer.place(packet) {
                case .skip: skipped += 1
                case .past: isPast = true
                case .write: _ = output.push(packet)
                }
            }
            tally = reader.tally
            tally.refusedBeforeFirst = skipped
            tally.isWhole = reader.segment.isWhole && !isPast
        } catch {
            control.fail(error, .mux)
        }
    }

    /// - Returns: The next packet with its decoding time; nil at the end.
    private func next() throws(FFmpegError) -> Packet? {
        while true {
            if let packet = queue?.pop(atEnd: false) { return packet }
            let packet = try Packet()
            guard try reader.next(packet) else { return queue?.pop(atEnd: true) }
            guard queue != nil else { return packet }
            queue?.push(packet)
        }
    }
}
