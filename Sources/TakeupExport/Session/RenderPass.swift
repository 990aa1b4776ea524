internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Runs one plan once: one lane for each step of each track, and one lane that writes.
final class RenderPass {
    /// Capacities of the queues between the lanes; pictures are large, packets are small.
    static let pictureQueue = 4
    private static let packetQueue = 64

    let inputs: RunInputs
    let plan: ExportPlan
    let rate: VideoEncoderOptions.RateControl
    private let keepsAudio: Bool
    private let byteLimit: Int64?
    let control: RunControl
    let progress: ProgressMeter
    let muxer: Muxer?
    private let group = LaneGroup()
    private var muxInputs: [MuxInput] = []
    /// The bodies to start on lanes once everything is set up.
    var starts: [(label: String, body: @Sendable () -> Void)] = []
    /// Functions that collect the stages' results once their lanes have ended.
    var collectors: [(inout PassResult) -> Void] = []

    /// Sets a pass up; without a muxer, the pass counts its packets and drops them.
    ///
    /// With a byte limit, it ends with `.sizeLimitUnreachable` as soon as its packets exceed the
    /// limit.
    init(
        _ inputs: RunInputs, plan: ExportPlan, rate: VideoEncoderOptions.RateControl = .quality,
        keepsAudio: Bool = true, byteLimit: Int64? = nil, control: RunControl,
        progress: ProgressMeter, muxer: Muxer?
    ) {
        self.inputs = inputs
        self.plan = plan
        self.rate = rate
        self.keepsAudio = keepsAudio
        self.byteLimit = byteLimit
        self.control = control
        self.progress = progress
        self.muxer = muxer
    }

    /// Renders everything and waits for the end.
    ///
    /// - Throws: The first error of any lane.
    func run(muxerOptions: [String: String]) throws(ExportError) -> PassResult {
        if let muxer, plan.isPlainCopy {
            return try PassthroughPass(
                inputs, plan: plan, control: control, progress: progress, muxer: muxer
            ).run(muxerOptions: muxerOptions)
        }
        do throws(FFmpegError) {
            if let video = plan.video { try addVideo(video) }
            if keepsAudio {
                for audio in plan.audio { try addAudio(audio) }
                for subtitle in plan.subtitles { try addSubtitle(subtitle) }
            }
            let cover = muxer == nil ? nil : try addCover()
            try muxer?.writeHeader(options: muxerOptions)
            if let cover { try muxer?.write(cover) }
        } catch {
            throw ExportError(error, ExportStage(settingUp: error.operation))
        }
        return try render()
    }

    private func render() throws(ExportError) -> PassResult {
        for start in starts { group.start(start.label, start.body) }
        let mux = MuxStage(
            muxInputs, muxer: muxer, byteLimit: byteLimit, control: control, progress: progress)
        mux.run()
        if control.isStopped { control.stop() }
        group.wait()
        if control.cancellation.isCancelled { throw .cancelled }
        if let error = control.error { throw error }
        var result = PassResult()
        result.written = mux.written
        for collect in collectors { collect(&result) }
        if control.cancellation.isCancelled { throw .cancelled }
        if let error = control.error { throw error }
        return result
    }

    func packetQueue() -> BoundedQueue<Packet> {
        let queue = BoundedQueue<Packet>(capacity: Self.packetQueue)
        control.onStop { queue.close() }
        return queue
    }

    func addInput(
        _ queue: BoundedQueue<Packet>, _ kind: StreamKind, _ timeBase: TimeBase, stream: Int,
        copy: CopyStage? = nil, mustBeContinuous: Bool = false
    ) throws(FFmpegError) {
        let parameters = try copy.map { (copy) throws(FFmpegError) in
            try ParameterWatch(
                copy.stream.codec, copy.parameters().extradata,
                mustBeContinuous: mustBeContinuous)
        }
        muxInputs.append(
            MuxInput(
                queue: queue, timeBase: timeBase, stream: stream, kind: kind, cut: copy?.cut,
                parameters: parameters))
    }

    private func addVideo(_ video: VideoTrackPlan) throws(FFmpegError) {
        switch video.mode {
        case .copy:
            try addCopy(
                video.segments, isVideo: true, OutputDescription.video(video, plan, inputs))
        case .encode(let encoding) where !video.parts.isEmpty: try addParts(video, encoding)
        case .encode(let encoding): try addEncodedVideo(video, encoding)
        }
    }

    private func addAudio(_ audio: AudioTrackPlan) throws(FFmpegError) {
        guard case .encode(let encoding) = audio.mode else {
            try addCopy(audio.segments, isVideo: false, OutputDescription.audio(audio))
            return
        }
        let encoder = try Encoder(encoding.settings(search: .fast))
        let output = packetQueue()
        let sound = try TrackSound(inputs, audio, encoding, control)
        let stage = Confined(
            try AudioStage(
                sound.supply, encoding: encoding, encoder: encoder, chain: audio.chain,
                control: control, output: output))
        let stream = try muxer?.addStream(encoder.parameters(), OutputDescription.audio(audio))
        try addInput(output, .audio, encoder.timeBase, stream: stream ?? 0)
        for lane in sound.lanes { starts.append(("takeup.audio.mix", lane)) }
        starts.append(("takeup.audio", { stage.value.run() }))
        for (segments, found) in sound.tallies { collect(segments, .audio, found) }
        // With a loudness of its own, the mix is limited only where its plan says so.
        guard let mixer = sound.mixer, audio.loudness == nil else { return }
        collectors.append { result in
            if let warning = mixer.warning { result.warnings.append(warning) }
        }
    }

    private func addCopy(
        _ segments: [TrackSegment], isVideo: Bool, _ description: OutputStream
    ) throws(FFmpegError) {
        guard segments[0].track != nil else { return }
        let output = packetQueue()
        let stage = Confined(
            try CopyStage(
                inputs, segments: segments, isVideo: isVideo, control: control, output: output))
        var description = description
        description.timeBase = stage.value.timeBase
        let stream = try muxer?.addStream(stage.value.parameters(), description)
        try addInput(
            output, isVideo ? .video : .audio, stage.value.timeBase, stream: stream ?? 0,
            copy: stage.value,
            mustBeContinuous: !isVideo && plan.mustBeContinuous(segments, inputs.assets))
        starts.append(("takeup.copy", { stage.value.run() }))
        collect(segments, isVideo ? .video : .audio) { stage.value.tallies }
        guard isVideo else { return }
        let place = muxInputs.count - 1
        collectors.append { $0.frames = $0.written[place].shownPackets }
    }

    private func addSubtitle(_ subtitle: SubtitleTrackPlan) throws(FFmpegError) {
        let output = packetQueue()
        let stage = Confined(
            try SubtitleStage(inputs, subtitle, control: control, output: output))
        let stream = try muxer?.addStream(
            stage.value.parameters(), OutputDescription.subtitle(subtitle))
        try addInput(output, .subtitle, SubtitleStage.timeBase, stream: stream ?? 0)
        starts.append(("takeup.subtitle", { stage.value.run() }))
    }

    private func addCover() throws(FFmpegError) -> Packet? {
        guard let track = plan.coverTrack else { return nil }
        let demuxer = try inputs.sources[0].demuxer(control.cancellation)
        demuxer.select([track])
        let packet = try Packet()
        guard try demuxer.read(into: packet), packet.streamIndex == track else { return nil }
        var description = OutputStream(timeBase: TimeBase(1, 90_000))
        description.isAttachedPicture = true
        let stream = try muxer?.addStream(demuxer.parameters(of: track), description)
        packet.streamIndex = stream ?? 0
        packet.ptsTicks = 0
        packet.dtsTicks = 0
        return packet
    }

    func collect(
        _ segments: [TrackSegment], _ kind: MediaType, _ tallies: @escaping () -> [TrackTally]
    ) {
        let assessor = LossAssessor(assets: inputs.assets)
        collectors.append { result in
            let tallies = tallies()
            let loss = assessor.assess(segments, kind, tallies)
            if let loss { result.losses.append(loss) }
            for tally in tallies {
                if kind == .audio, loss == nil, tally.damagedWithin > 0 {
                    result.warnings.append(
                        ExportWarning(
                            code: "soundDamaged",
                            message: "\(tally.damagedWithin) damaged "
                                + (tally.damagedWithin == 1 ? "block" : "blocks")
                                + " of sound could not be decoded; too short to count as a loss"))
                }
                if tally.insertedSilence > .zero {
                    result.warnings.append(
                        ExportWarning(
                            code: "silenceInserted",
                            message: "\(tally.insertedSilence) of silence fills gaps in the sound"))
                }
                if tally.overlap > .zero {
                    result.warnings.append(
                        ExportWarning(
                            code: "soundOverlap",
                            message: "\(tally.overlap) of sound were left out: by their times they "
                                + "lie over sound that came before"))
                }
            }
        }
    }
}
