internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Reads, decodes and mends the sound of one track's segments, and converts it to the output's format.
final class SoundLine: SoundSupply {
    /// How far before a cut decoding begins, so that codecs that need earlier blocks are in sync.
    static let lead = MediaTime(value: 1, timescale: 2)
    /// Highest number of samples in a block of silence.
    private static let silenceBlock = 4096

    private let inputs: RunInputs
    private let segments: [TrackSegment]
    private let encoding: AudioEncoding
    private let control: RunControl
    /// Whether every segment ends at its exact sample.
    private let isExact: Bool
    private var give: SoundTaker = { _ in }
    private var graph: FilterGraph?
    private var format: AudioFormat?
    private var graphSamples: Int64 = 0
    /// How many samples were given.
    private var position: Int64 = 0
    /// The stated end of the newest packet, and whether the packet's time differs from the previous
    /// end.
    ///
    /// The flag stays set for the next packets until one of their blocks is placed.
    private var stated: (end: Int64?, isNew: Bool) = (nil, true)
    /// The end of the current segment where segments end at exact samples; else nil, and segments
    /// follow each other as they are.
    private var seam: SoundSeam?
    private var speed: Ratio?
    private var followsPitch = false
    private(set) var tallies: [TrackTally] = []

    init(
        _ inputs: RunInputs, _ segments: [TrackSegment], _ encoding: AudioEncoding,
        _ control: RunControl, isExact: Bool
    ) {
        self.inputs = inputs
        self.segments = segments
        self.encoding = encoding
        self.control = control
        self.isExact = isExact
    }

    func run(_ give: @escaping SoundTaker) throws(FFmpegError) {
        self.give = give
        defer { self.give = { _ in } }
        for segment in segments {
            guard !control.isStopped else { return }
            (speed, followsPitch) = (segment.speed, segment.followsPitch)
            if isExact { seam = SoundSeam(segment, sampleRate: encoding.sampleRate) }
            if let track = segment.track {
                try render(segment, track)
            } else if !isExact {
                try pushSilence(
                    Int(segment.duration.ticks(of: 1, over: Int64(encoding.sampleRate))),
                    encoding.format)
            }
            if isExact, !control.isStopped { try endSegment(segment) }
        }
        guard !control.isStopped else { return }
        try flushGraph()
    }

    /// Brings the track to the segment's exact end.
    private func endSegment(_ segment: TrackSegment) throws(FFmpegError) {
        let placed = segment.track == nil ? segment.ownDuration : tallies.last?.lastTime ?? .zero
        seam?.close(after: placed)
        if let tail = seam?.tail, tail > .zero, let format {
            try pushSilence(Int(tail.ticks(of: 1, over: Int64(format.sampleRate))), format)
        }
        try flushGraph()
        var missing = seam?.missing(at: position) ?? 0
        while missing > 0, !control.isStopped {
            let frame = try Frame.silence(
                encoding.format, samples: min(missing, Self.silenceBlock))
            missing -= frame.sampleCount
            try hand(frame)
        }
    }

    private func render(_ segment: TrackSegment, _ track: Int) throws(FFmpegError) {
        let reader = try SegmentReader(
            inputs.sources[segment.source], inputs.assets[segment.source], segment, track: track,
            cancellation: control.cancellation)
        let asset = inputs.assets[segment.source]
        let isUntimed = asset.untimedSound.contains(track)
        if !segment.isWhole, !isUntimed {
            _ = try reader.enter(noLaterThan: segment.sourceStart - Self.lead)
        }
        let decoder = try Decoder(reader.parameters(), timeBase: reader.stream.timeBase)
        let known = asset.description.tracks.first { $0.index == track }
        var clock = SoundClock(
            sampleRate: max(1, known?.audio?.sampleRate ?? 0),
            duration: segment.isOpenEnded ? nil : segment.ownDuration,
            sourceTick: reader.stream.timeBase.tick,
            first: first(segment, asset, isUntimed ? known : nil))
        var tally = TrackTally()
        stated = (nil, true)
        let packet = try Packet()
        while !control.isStopped, !clock.isPastEnd, try reader.next(packet) {
            try feed(packet, decoder, reader, &clock, &tally)
        }
        guard !control.isStopped else { return }
        if !clock.isPastEnd {
            try? decoder.finish()
            try drain(decoder, reader, &clock, &tally)
        }
        let isCut = clock.isPastEnd
        if segment.mustFill, seam == nil, clock.rest > 0, let format {
            try pushSilence(clock.rest, format)
        }
        tally.packets = reader.tally.packets
        tally.corruptPackets = reader.tally.corruptPackets
        tally.readFailure = reader.tally.readFailure
        tally.isWhole = segment.isWhole && !isCut
        tally.lastTime = MediaTime(
            value: Int64(clock.position), timescale: Int64(clock.sampleRate))
        tally.overlap = MediaTime(value: Int64(clock.overlap), timescale: Int64(clock.sampleRate))
        tallies.append(tally)
    }

    /// Returns the position of a segment's first block without a time, relative to the segment's
    /// start.
    ///
    /// `untimed` is a track of which only the first time is valid.
    private func first(
        _ segment: TrackSegment, _ asset: InspectedAsset, _ untimed: AssetTrack?
    ) -> MediaTime {
        if let untimed { return untimed.startTime - segment.sourceStart }
        return segment.isWhole ? .zero : asset.description.startTime - segment.sourceStart
    }

    private func feed(
        _ packet: borrowing Packet, _ decoder: Decoder, _ reader: SegmentReader,
        _ clock: inout SoundClock, _ tally: inout TrackTally
    ) throws(FFmpegError) {
        let ticks = packet.ptsTicks
        stated = (
            ticks.map { $0 + packet.durationTicks }, stated.isNew || ticks != stated.end
        )
        while true {
            var isTaken = true
            do throws(FFmpegError) {
                isTaken = try decoder.send(packet)
            } catch {
                try tally.noteSound(error)
            }
            try drain(decoder, reader, &clock, &tally)
            if isTaken { return }
        }
    }

    private func drain(
        _ decoder: Decoder, _ reader: SegmentReader, _ clock: inout SoundClock,
        _ tally: inout TrackTally
    ) throws(FFmpegError) {
        while !clock.isPastEnd {
            let frame = try Frame()
            do throws(FFmpegError) {
                guard try decoder.receive(into: frame) else { return }
            } catch {
                try tally.noteSound(error)
                continue
            }
            guard frame.sampleCount > 0 else { continue }
            tally.countSound(isDamaged: frame.isDamaged)
            try take(frame, reader, &clock, &tally)
        }
    }

    private func take(
        _ frame: borrowing Frame, _ reader: SegmentReader, _ clock: inout SoundClock,
        _ tally: inout TrackTally
    ) throws(FFmpegError) {
        let found = frame.audioFormat
        guard found.sampleRate > 0, found.layout.channels > 0 else { return }
        if found != format { try useFormat(found) }
        if found.sampleRate != clock.sampleRate { clock.changeRate(to: found.sampleRate) }
        let ticks = frame.ptsTicks ?? frame.bestEffortTicks
        let asset = inputs.assets[reader.segment.source]
        let isTimed =
            !asset.lacksTimestamps && (reader.entry != nil || !asset.derivesTimes)
            && !asset.untimedSound.contains(reader.stream.index)
            // Within a broadcast's packets, FFmpeg counts times from the first block's sample rate.
            && (stated.isNew || !Broadcast.isOne(asset.description.container))
        let time =
            isTimed
            ? ticks.map { reader.stream.timeBase.time($0) - reader.segment.sourceStart } : nil
        if time != nil { stated.isNew = false }
        let placement = clock.place(time, count: frame.sampleCount)
        if placement.silence > 0 {
            tally.insertedSilence =
                tally.insertedSilence
                + MediaTime(value: Int64(placement.silence), timescale: Int64(found.sampleRate))
            try pushSilence(placement.silence, found)
        }
        guard placement.keep > 0 else { return }
        if placement.drop > 0 { try frame.dropFirstSamples(placement.drop) }
        frame.keepFirstSamples(placement.keep)
        try push(frame)
    }

    private func useFormat(_ found: AudioFormat) throws(FFmpegError) {
        try flushGraph()
        format = found
        graph = try FilterGraph(
            audio: found, timeBase: TimeBase(1, Int32(found.sampleRate)),
            chain: SoundChain(
                format: found, encoding: encoding, speed: speed, followsPitch: followsPitch
            ).text)
        graphSamples = 0
    }

    private func pushSilence(_ count: Int, _ silent: AudioFormat) throws(FFmpegError) {
        if graph == nil || format != silent { try useFormat(silent) }
        var rest = count
        while rest > 0, !control.isStopped {
            let block = min(rest, Self.silenceBlock)
            let frame = try Frame.silence(silent, samples: block)
            try push(frame)
            rest -= block
        }
    }

    private func push(_ frame: borrowing Frame) throws(FFmpegError) {
        guard let graph else { return }
        frame.ptsTicks = graphSamples
        graphSamples += Int64(frame.sampleCount)
        try graph.send(frame)
        try drain(graph)
    }

    private func flushGraph() throws(FFmpegError) {
        guard let graph else { return }
        try graph.finish()
        try drain(graph)
        self.graph = nil
        format = nil
    }

    private func drain(_ graph: FilterGraph) throws(FFmpegError) {
        let frame = try Frame()
        while try graph.receive(into: frame) {
            let kept = seam?.keep(frame.sampleCount, at: position) ?? frame.sampleCount
            guard kept > 0 else { continue }
            frame.keepFirstSamples(kept)
            try hand(frame)
        }
    }

    private func hand(_ frame: borrowing Frame) throws(FFmpegError) {
        frame.ptsTicks = position
        position += Int64(frame.sampleCount)
        try give(frame)
    }
}
