internal import TakeupFFmpeg
internal import TakeupLanes

extension RenderPass {
    /// Sets up a track whose parts are copied or encoded.
    func addParts(
        _ video: VideoTrackPlan, _ encoding: VideoEncoding
    ) throws(FFmpegError) {
        guard let preset = plan.preset.video else { return }
        let output = packetQueue()
        let stage = Confined(
            try PartStage(
                inputs, plan: video, encoding: encoding, preset: preset, control: control,
                progress: progress, output: output))
        let stream = try muxer?.addStream(
            stage.value.parameters, OutputDescription.video(video, plan, inputs))
        try addInput(output, .video, stage.value.timeBase, stream: stream ?? 0)
        starts.append(("takeup.parts", { stage.value.run() }))
        collect(video.parts.filter { !$0.isCopied }.map(\.segment), .video) {
            stage.value.tallies
        }
        collectors.append { result in
            result.frames = stage.value.frames
            result.shownFrames = stage.value.shownFrames
            result.droppedFrames = stage.value.droppedFrames
            result.partFault = stage.value.fault
        }
    }
}
