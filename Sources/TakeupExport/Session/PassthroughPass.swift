internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Sets up and runs a copy of one whole source's tracks on the caller's lane.
struct PassthroughPass {
    let inputs: RunInputs
    let plan: ExportPlan
    let control: RunControl
    let progress: ProgressMeter
    let muxer: Muxer

    init(
        _ inputs: RunInputs, plan: ExportPlan, control: RunControl, progress: ProgressMeter,
        muxer: Muxer
    ) {
        self.inputs = inputs
        self.plan = plan
        self.control = control
        self.progress = progress
        self.muxer = muxer
    }

    /// - Throws: `ExportError`, including `.cancelled`.
    func run(muxerOptions: [String: String]) throws(ExportError) -> PassResult {
        let tracks = self.tracks
        guard let first = tracks.first?.segment else { return PassResult() }
        do throws(FFmpegError) {
            let demuxer = try inputs.sources[first.source].demuxer(control.cancellation)
            let routes = try makeRoutes(tracks, demuxer)
            try muxer.writeHeader(options: muxerOptions)
            let stage = PassthroughStage(
                demuxer, routes: routes, muxer: muxer, control: control, progress: progress)
            try stage.run()
            guard !control.cancellation.isCancelled else { throw ExportError.interruption }
            return result(stage, tracks)
        } catch {
            throw ExportError(error, .mux)
        }
    }

    /// The tracks in the output's order.
    private var tracks: [(segment: TrackSegment, description: OutputStream, kind: MediaType)] {
        let video = plan.video.map {
            ($0.segments[0], OutputDescription.video($0, plan, inputs), MediaType.video)
        }
        let audio = plan.audio.map {
            ($0.segments[0], OutputDescription.audio($0), MediaType.audio)
        }
        return (video.map { [$0] } ?? []) + audio
    }

    private func makeRoutes(
        _ tracks: [(segment: TrackSegment, description: OutputStream, kind: MediaType)],
        _ demuxer: Demuxer
    ) throws(FFmpegError) -> [PassthroughStage.Route] {
        let streams = demuxer.streams
        var routes: [PassthroughStage.Route] = []
        for (segment, description, kind) in tracks {
            guard let track = segment.track,
                let stream = streams.first(where: { $0.index == track })
            else { continue }
            var description = description
            description.timeBase = stream.timeBase
            let parameters = try demuxer.parameters(of: track)
            let place = try muxer.addStream(parameters, description)
            var placer = PacketPlacer(
                segment, timeBase: stream.timeBase, isVideo: kind == .video)
            placer.begin(with: inputs.assets[segment.source].openings[track])
            let supply: any PacketSupply =
                kind == .video
                ? inputs.assets[segment.source].decodeQueue(of: track)
                : SoundLengths(stream, parameters)
            var route = PassthroughStage.Route(
                track: track, stream: place, placer: placer,
                supply: inputs.assets[segment.source].trimmed(supply, track),
                parameters: ParameterWatch(
                    stream.codec, parameters.extradata,
                    mustBeContinuous: kind == .audio
                        && plan.mustBeContinuous([segment], inputs.assets)))
            if kind == .audio {
                route.grid = SampleGrid(stream, try demuxer.parameters(of: track))
            }
            routes.append(route)
        }
        return routes
    }

    private func result(
        _ stage: PassthroughStage,
        _ tracks: [(segment: TrackSegment, description: OutputStream, kind: MediaType)]
    ) -> PassResult {
        var result = PassResult()
        result.written = stage.routes.map(\.written)
        let assessor = LossAssessor(assets: inputs.assets)
        for (track, route) in zip(tracks, stage.routes) {
            if track.kind == .video { result.frames = route.written.shownPackets }
            if let loss = assessor.assess(track.segment, track.kind, route.tally) {
                result.losses.append(loss)
            }
        }
        return result
    }
}

extension ExportError {
    /// The error that the libraries report for a cancelled read.
    fileprivate static var interruption: FFmpegError {
        FFmpegError(.read, status: .interrupted, subject: "the source")
    }
}
