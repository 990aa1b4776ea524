internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Copies the packets of one output track on one lane, from one input or several in turn.
final class CopyStage {
    private let inputs: RunInputs
    private let segments: [TrackSegment]
    private let isVideo: Bool
    private let control: RunControl
    private let output: BoundedQueue<Packet>
    private let first: SegmentReader
    /// Time base of the output packets.
    let timeBase: TimeBase
    /// Assigns decoding times to pictures of joined inputs; the times must also fit at the seams.
    private var joined: DecodeQueue?
    /// Restores sample-exact audio times; nil if no time was rounded.
    private var grid: SampleGrid?
    /// Packets that are written only if a certain later packet follows.
    ///
    /// The waiting packets are pictures after a cut's end, or the first audio packets of a cut
    /// until their use is decided.
    private var waiting: [PacketSlot] = []
    /// The end of a video cut; nil for other tracks.
    let cut: CutEnd?
    /// The last picture of a cut in decoding order, kept until its duration is known.
    private var held: Packet?
    /// When the last written picture of a cut ends by its own duration.
    private var shownUntil = Int64.min
    private(set) var tallies: [TrackTally] = []

    /// Opens the first segment.
    ///
    /// At least one segment is needed, each with a track; several must be whole inputs.
    init(
        _ inputs: RunInputs, segments: [TrackSegment], isVideo: Bool, control: RunControl,
        output: BoundedQueue<Packet>
    ) throws(FFmpegError) {
        self.inputs = inputs
        self.segments = segments
        self.isVideo = isVideo
        self.control = control
        self.output = output
        first = try Self.reader(inputs, segments[0], control)
        grid = try isVideo ? nil : SampleGrid(first.stream, first.parameters())
        let bases = Self.streams(inputs, segments).map { PacketPlacer.fine($0.timeBase) }
        let finest = bases.min { $0.tick < $1.tick }
        timeBase = grid?.timeBase ?? finest ?? first.stream.timeBase
        cut = PacketPlacer(segments[0], timeBase: timeBase, isVideo: isVideo).cut
        if isVideo, segments.count > 1 {
            joined = DecodeQueue(
                DecodeOrder(keepsTimes: false, depth: Self.depth(inputs, segments)))
        }
    }

    var stream: StreamDescription { first.stream }

    func parameters() throws(FFmpegError) -> CodecParameters { try first.parameters() }

    /// Copies everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            for place in segments.indices where !control.isStopped {
                try copy(place == 0 ? first : Self.reader(inputs, segments[place], control), place)
            }
            while let packet = joined?.pop(atEnd: true) { _ = output.push(packet) }
        } catch {
            control.fail(error, .mux)
        }
    }

    private func copy(_ reader: SegmentReader, _ place: Int) throws(FFmpegError) {
        let segment = segments[place]
        let lead = isVideo ? .zero : SoundLead.time(reader.stream.codec)
        var placer = PacketPlacer(
            segment, timeBase: reader.stream.timeBase, isVideo: isVideo, lead: lead)
        placer.begin(with: try enter(reader, segment, lead: lead))
        var supply = try supply(reader, segment)
        var sound = SoundLead(
            start: placer.start, hasEqualBlocks: try SoundLead.hasEqualBlocks(reader))
        var isPast = false
        var skipped = 0
        while !isPast, !control.isStopped, let packet = try supply.next(from: reader) {
            switch placer.place(packet) {
            case .skip: if !packet.isDiscarded { skipped += 1 }
            case .wait: waiting.append(PacketSlot(packet))
            case .past: isPast = true
            case .write:
                let useless = sound.useless(with: packet.ptsTicks ?? 0)
                waiting.append(PacketSlot(packet))
                if let useless { putWaiting(placer.timeBase, segment, leavingOut: useless) }
            }
        }
        isPast = isPast || isVideo && !waiting.isEmpty
        let isHeld = isPast && isVideo && waiting.count < PacketPlacer.mostWaiting
        if isVideo { waiting.removeAll() }
        putWaiting(placer.timeBase, segment, leavingOut: sound.uselessAtEnd())
        pushHeld(isHeld && isTimed(segment) ? cut?.end : nil)
        var tally = reader.tally
        tally.refusedBeforeFirst = skipped
        tally.isWhole = segment.isWhole && !isPast
        tallies.append(tally)
    }

    /// Seeks to the first packet to read.
    ///
    /// - Returns: Presentation time of the first packet to use; nil at the source's start.
    private func enter(
        _ reader: SegmentReader, _ segment: TrackSegment, lead: MediaTime
    ) throws(FFmpegError) -> MediaTime? {
        if segment.isWhole { return inputs.assets[segment.source].openings[reader.stream.index] }
        if isVideo {
            try reader.enterSoundly()
        } else {
            _ = try reader.enter(noLaterThan: segment.sourceStart - lead)
        }
        return reader.isEntryVague ? nil : reader.entry
    }

    private func supply(
        _ reader: SegmentReader, _ segment: TrackSegment
    ) throws(FFmpegError) -> any PacketSupply {
        let (asset, track) = (inputs.assets[segment.source], reader.stream.index)
        let supply: any PacketSupply =
            if !isVideo {
                SoundLengths(reader.stream, try reader.parameters())
            } else if joined == nil {
                asset.decodeQueue(of: track)
            } else {
                PlainPackets()
            }
        return asset.trimmed(supply, track)
    }

    private func putWaiting(_ base: TimeBase, _ segment: TrackSegment, leavingOut useless: Int) {
        for slot in waiting.dropFirst(useless) {
            if let earlier = slot.packet.take() { put(earlier, base, segment) }
        }
        waiting.removeAll()
    }

    private func put(_ packet: consuming Packet, _ base: TimeBase, _ segment: TrackSegment) {
        if base != timeBase { packet.rescale(from: base, to: timeBase) }
        if segments.count > 1 { packet.shift(byTicks: timeBase.ticks(segment.targetStart)) }
        grid?.place(packet)
        guard joined != nil else {
            guard cut != nil else {
                _ = output.push(packet)
                return
            }
            pushHeld(nil)
            let end = (packet.ptsTicks ?? .min).addingClamped(packet.durationTicks)
            shownUntil = max(shownUntil, end)
            held = consume packet
            return
        }
        joined?.push(packet)
        while let packet = joined?.pop(atEnd: false) { _ = output.push(packet) }
    }

    /// Returns whether the source tells of every picture when it is shown.
    private func isTimed(_ segment: TrackSegment) -> Bool {
        let asset = inputs.assets[segment.source]
        return !asset.landsWithinPackets && !asset.lacksTimestamps
            && asset.description.loss == nil
    }

    /// Writes the kept picture; it lasts up to `end` if no written picture does.
    private func pushHeld(_ end: Int64?) {
        guard let packet = held.take() else { return }
        if let end, let pts = packet.ptsTicks, shownUntil < end {
            packet.durationTicks = max(packet.durationTicks, end - pts)
        }
        _ = output.push(packet)
    }

    private static func reader(
        _ inputs: RunInputs, _ segment: TrackSegment, _ control: RunControl
    ) throws(FFmpegError) -> SegmentReader {
        guard let track = segment.track else {
            preconditionFailure("silence is encoded, never copied")
        }
        return try SegmentReader(
            inputs.sources[segment.source], inputs.assets[segment.source], segment, track: track,
            cancellation: control.cancellation)
    }

    private static func depth(_ inputs: RunInputs, _ segments: [TrackSegment]) -> Int {
        streams(inputs, segments).map(\.reorderDelay).max() ?? 0
    }

    private static func streams(
        _ inputs: RunInputs, _ segments: [TrackSegment]
    ) -> [StreamDescription] {
        segments.compactMap { segment in
            inputs.assets[segment.source].streams.first { $0.index == segment.track }
        }
    }
}
