internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Makes one video track of copied and encoded parts, part by part, on one lane.
///
/// Encoded parts have lanes of their own while they last. If a source is not as the plan expects, `fault` says why, and
/// the track is useless.
final class PartStage {
    private static let pictureQueue = 4
    private static let packetQueue = 64
    /// The decoder of an encoded part that lasts no longer uses one thread: then its count of faults is exact.
    private static let short: MediaTime = 10

    private let inputs: RunInputs
    private let plan: VideoTrackPlan
    private let encoding: VideoEncoding
    private let settings: EncoderSettings
    private let control: RunControl
    private let progress: ProgressMeter
    private let output: BoundedQueue<Packet>
    let timeBase: TimeBase
    /// Parameters of the copied parts, with the parameter sets of all parts.
    let parameters: CodecParameters
    private let copiedSets: [[UInt8]]
    /// An encoder that no part has used; its header is that of all encoders.
    private var spare: Encoder?
    private let encoderHeader: [UInt8]
    private var order: DecodeQueue
    private var held: Packet?
    private var firstDTS: Int64?
    private var shownUntil: Int64 = 0

    /// Why the parts do not fit together; nil if they do.
    private(set) var fault: String?
    /// The counts of the encoded parts, in order.
    private(set) var tallies: [TrackTally] = []
    private(set) var frames = 0
    /// Number of pictures that were copied or came out of a decoder.
    private(set) var shownFrames = 0
    private(set) var droppedFrames = 0

    /// - Precondition: The plan has parts, and at least one is copied.
    init(
        _ inputs: RunInputs, plan: VideoTrackPlan, encoding: VideoEncoding, preset: VideoSettings,
        control: RunControl, progress: ProgressMeter, output: BoundedQueue<Packet>
    ) throws(FFmpegError) {
        self.inputs = inputs
        self.plan = plan
        self.encoding = encoding
        self.control = control
        self.progress = progress
        self.output = output
        settings = try VideoEncoderOptions(encoding: encoding, preset: preset, rate: .quality)
            .settings()
        timeBase = TimeBase(1, Int32(clamping: encoding.timing.timescale))
        guard let copied = plan.parts.first(where: \.isCopied) else {
            preconditionFailure("a track in parts has a copied one")
        }
        parameters = try Self.reader(inputs, copied.segment, control).parameters()
        copiedSets = ParameterSets("h264", parameters.extradata).sets
        let depth = plan.parts.compactMap { part in
            part.packets.map { max($0.depth, Self.stream(inputs, part.segment)?.reorderDelay ?? 0) }
        }
        order = DecodeQueue(DecodeOrder(keepsTimes: false, depth: depth.max() ?? 0))
        let isEncoded = !plan.parts.allSatisfy(\.isCopied)
        let encoder = isEncoded ? try Encoder(settings) : nil
        spare = encoder
        encoderHeader = try encoder?.parameters().extradata ?? []
        let encodedSets = ParameterSets("h264", encoderHeader).sets
        fault = isEncoded ? Self.difference(encodedSets, copiedSets) : nil
        if let header = UnitPacking.configuration(copiedSets, and: encodedSets) {
            try parameters.setExtradata(header)
        } else {
            fault = fault ?? "its parameter sets are not usable"
        }
    }

    private static func difference(_ encoded: [[UInt8]], _ copied: [[UInt8]]) -> String? {
        guard let own = encoded.lazy.compactMap(SequenceSet.init).first,
            let other = copied.lazy.compactMap(SequenceSet.init).first
        else { return "its parameter sets are not usable" }
        let ids = Set(copied.compactMap { PictureSet($0)?.id })
        guard encoded.compactMap({ PictureSet($0)?.id }).allSatisfy({ !ids.contains($0) }) else {
            return "the encoder's parameter sets have the same id"
        }
        return own.difference(from: other).map { "the encoder's pictures differ in their \($0)" }
    }

    /// Makes everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            for part in plan.parts where fault == nil && !control.isStopped {
                if let packets = part.packets {
                    try copy(part.segment, packets)
                } else {
                    try encode(part.segment)
                }
            }
            guard fault == nil else { return }
            while let packet = order.pop(atEnd: true) { put(packet) }
            putLast()
        } catch {
            control.fail(error, .mux)
        }
    }

    // MARK: Copied parts

    private func copy(_ segment: TrackSegment, _ wanted: CopiedPackets) throws(FFmpegError) {
        let reader = try Self.reader(inputs, segment, control)
        let base = reader.stream.timeBase
        let entry = timeBase.time(wanted.entry)
        _ = try reader.enter(noLaterThan: entry)
        let lengthBytes = ParameterSets("h264", try reader.parameters().extradata).lengthBytes
        let shift = timeBase.ticks(segment.targetStart) - timeBase.ticks(segment.sourceStart)
        var isCopying = false
        var latest = Int64.min
        while !control.isStopped {
            let packet = try Packet()
            guard try reader.next(packet) else { break }
            packet.rescale(from: base, to: timeBase)
            guard let time = packet.ptsTicks else {
                if isCopying { return note("a picture has no time") }
                continue
            }
            if isCopying, time == wanted.stop {
                if latest != wanted.last { note("a picture is missing") }
                return
            }
            if !isCopying {
                guard time == wanted.entry, packet.isKey else { continue }
                guard isClean(packet, lengthBytes) else { return note("its entry has changed") }
                isCopying = true
            }
            if let reason = objection(packet, time, wanted, lengthBytes) { return note(reason) }
            latest = max(latest, time)
            let limit = time == wanted.last ? wanted.end : wanted.last
            if packet.durationTicks <= 0 { packet.durationTicks = nominalStep }
            if let limit {
                let rest = limit - time
                let isLast = time == wanted.last
                packet.durationTicks = isLast ? rest : min(packet.durationTicks, rest)
            }
            let packed = packet.withBytes { UnitPacking.packed($0, lengthBytes) }
            if let packed { try packet.replaceBytes(packed) }
            packet.shift(byTicks: shift)
            frames += 1
            shownFrames += 1
            push(packet)
        }
        guard !control.isStopped else { return }
        if let failure = reader.tally.readFailure { return note("reading stopped: \(failure)") }
        if !isCopying || wanted.stop != nil || latest != wanted.last { note("it ends too early") }
    }

    /// Duration of a picture whose source states none.
    private var nominalStep: Int64 {
        let rate = encoding.frameRate ?? Ratio(25, 1)
        return encoding.timing.timescale * rate.denominator / max(1, rate.numerator)
    }

    private func isClean(_ packet: borrowing Packet, _ lengthBytes: Int) -> Bool {
        packet.withBytes { bytes in
            ParameterSets.units(bytes, lengthBytes).contains { bytes[$0.lowerBound] & 0x1F == 5 }
        }
    }

    /// Returns why a packet cannot be copied; nil if it can.
    private func objection(
        _ packet: borrowing Packet, _ time: Int64, _ wanted: CopiedPackets, _ lengthBytes: Int
    ) -> String? {
        if packet.isCorrupt { return "a packet is damaged" }
        if packet.isDiscarded { return "an edit list hides a picture of it" }
        guard (wanted.entry...wanted.last).contains(time) else {
            return "its pictures do not come in an order that can be cut"
        }
        let sets = packet.withBytes { ParameterSets.inside($0, "h264", lengthBytes) }
        return packet.newExtradata != nil || !sets.allSatisfy(copiedSets.contains)
            ? SampleEntries.reason : nil
    }

    // MARK: Encoded parts

    private func encode(_ segment: TrackSegment) throws(FFmpegError) {
        let encoder = try nextEncoder()
        guard try encoder.parameters().extradata == encoderHeader else {
            return note("the encoder's parameter sets have changed")
        }
        let part = VideoTrackPlan(segments: [segment], mode: plan.mode, reason: plan.reason)
        let decoded = BoundedQueue<TimedFrame>(capacity: Self.pictureQueue)
        let filtered = BoundedQueue<Frame>(capacity: Self.pictureQueue)
        let encoded = BoundedQueue<Packet>(capacity: Self.packetQueue)
        control.onStop {
            decoded.close()
            filtered.close()
            encoded.close()
        }
        let threads =
            segment.duration < Self.short ? 1 : DecoderThreads.forPictures(inputs, part)
        let lastsToEnd = Locked(false)
        let decode = Confined(
            VideoDecodeStage(
                inputs, plan: part, timing: encoding.timing, control: control, output: decoded,
                threads: threads, lastsToEnd: lastsToEnd))
        let filter = Confined(
            VideoFilterStage(
                inputs, plan: part, encoding: encoding, control: control, input: decoded,
                output: PictureTaker(filtered)
            ) { [encoding] format, traits, _ in
                PictureChain(
                    format: format, traits: traits, encoding: encoding, deinterlaces: false)
            })
        let encode = Confined(
            VideoEncodeStage(
                encoder, encoding: encoding, plan: part, control: control,
                queues: (filtered, encoded), lastsToEnd: lastsToEnd))
        let group = LaneGroup()
        group.start("takeup.part.decode") { decode.value.run() }
        group.start("takeup.part.filter") { filter.value.run() }
        group.start("takeup.part.encode") { encode.value.run() }
        try take(encoded, segment)
        group.wait()
        let recount = DamageRecount(
            inputs: inputs, video: part, timing: encoding.timing, control: control,
            progress: progress)
        let found = decode.value.tallies
        tallies += threads == 1 ? found : recount.tallies(found)
        frames += encode.value.frames
        shownFrames += found.map(\.frames).reduce(0, +)
        droppedFrames += encode.value.droppedFrames
    }

    private func nextEncoder() throws(FFmpegError) -> Encoder {
        if let unused = spare.take() { return unused }
        return try Encoder(settings)
    }

    private func take(
        _ encoded: BoundedQueue<Packet>, _ segment: TrackSegment
    ) throws(FFmpegError) {
        let start = timeBase.ticks(segment.targetStart)
        let end = start + timeBase.ticks(segment.duration)
        while let packet = encoded.pop() {
            guard let time = packet.ptsTicks, (start..<end).contains(time) else {
                note("an encoded picture lies outside of its part")
                continue
            }
            packet.durationTicks = min(packet.durationTicks, end - time)
            let packed = packet.withBytes { UnitPacking.packed($0, 0) }
            if let packed { try packet.replaceBytes(packed) }
            push(packet)
        }
    }

    // MARK: Output

    private func push(_ packet: consuming Packet) {
        order.push(packet)
        while let packet = order.pop(atEnd: false) { put(packet) }
    }

    private func put(_ packet: consuming Packet) {
        shownUntil = max(shownUntil, (packet.ptsTicks ?? 0) + packet.durationTicks)
        firstDTS = firstDTS ?? packet.dtsTicks
        if let earlier = held.take() { _ = output.push(earlier) }
        held = consume packet
    }

    /// Lengthens the last packet in decoding order, so that the track also lasts to its end in decoding order.
    private func putLast() {
        guard let packet = held.take() else { return }
        if let firstDTS, let last = packet.dtsTicks, let pts = packet.ptsTicks {
            let wanted = shownUntil - (last - firstDTS)
            packet.durationTicks = max(packet.durationTicks, min(wanted, shownUntil - pts))
        }
        _ = output.push(packet)
    }

    private func note(_ reason: String) { fault = fault ?? reason }

    private static func reader(
        _ inputs: RunInputs, _ segment: TrackSegment, _ control: RunControl
    ) throws(FFmpegError) -> SegmentReader {
        guard let track = segment.track else {
            preconditionFailure("empty time is never copied")
        }
        return try SegmentReader(
            inputs.sources[segment.source], inputs.assets[segment.source], segment, track: track,
            cancellation: control.cancellation)
    }

    private static func stream(_ inputs: RunInputs, _ segment: TrackSegment) -> StreamDescription? {
        inputs.assets[segment.source].streams.first { $0.index == segment.track }
    }
}
