internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel

extension RenderPass {
    func addEncodedVideo(
        _ video: VideoTrackPlan, _ encoding: VideoEncoding
    ) throws(FFmpegError) {
        guard let preset = plan.preset.video else { return }
        let options = VideoEncoderOptions(encoding: encoding, preset: preset, rate: rate)
        let encoder = try Encoder(options.settings())
        let output = packetQueue()
        let filtered = BoundedQueue<Frame>(capacity: Self.pictureQueue)
        control.onStop { filtered.close() }
        let lastsToEnd = Locked(false)
        let encode = Confined(
            VideoEncodeStage(
                encoder, encoding: encoding, plan: video, control: control,
                queues: (filtered, output), lastsToEnd: lastsToEnd))
        let stream = try muxer?.addStream(
            encoder.parameters(), OutputDescription.video(video, plan, inputs))
        try addInput(output, .video, encoder.timeBase, stream: stream ?? 0)
        if let composition = video.composition {
            try addLayers(composition, video, encoding, deinterlaces: preset.deinterlace, filtered)
        } else {
            addPictures(video, encoding, preset.deinterlace, filtered, lastsToEnd)
        }
        starts.append(("takeup.video.encode", { encode.value.run() }))
        collectors.append { result in
            result.frames = encode.value.frames
            result.repeatedFrames = encode.value.repeatedFrames
            result.droppedFrames = encode.value.droppedFrames
        }
    }

    /// Sets up what decodes and filters segments that follow each other.
    private func addPictures(
        _ video: VideoTrackPlan, _ encoding: VideoEncoding, _ deinterlace: Deinterlace,
        _ output: BoundedQueue<Frame>, _ lastsToEnd: Locked<Bool>
    ) {
        let decoded = BoundedQueue<TimedFrame>(capacity: Self.pictureQueue)
        control.onStop { decoded.close() }
        let threads = DecoderThreads.forPictures(inputs, video)
        let decode = Confined(
            VideoDecodeStage(
                inputs, plan: video, timing: encoding.timing, control: control, output: decoded,
                threads: threads, lastsToEnd: lastsToEnd))
        let filter = Confined(
            VideoFilterStage(
                inputs, plan: video, encoding: encoding, control: control, input: decoded,
                output: PictureTaker(output)
            ) { format, traits, _ in
                PictureChain(
                    format: format, traits: traits, encoding: encoding,
                    deinterlaces: deinterlace == .auto && traits.isInterlaced)
            })
        starts.append(("takeup.video.decode", { decode.value.run() }))
        starts.append(("takeup.video.filter", { filter.value.run() }))
        collectShown(video, encoding, decode, isRecounted: threads > 1)
        collectors.append { result in
            result.shownFrames =
                decode.value.tallies.map(\.frames).reduce(0, +) + filter.value.blackFrames
        }
    }

    /// Sets up what decodes and filters layers, in as few lines as possible, and what composes them.
    private func addLayers(
        _ pictures: ComposedPictures, _ video: VideoTrackPlan, _ encoding: VideoEncoding,
        deinterlaces: Deinterlace, _ output: BoundedQueue<Frame>
    ) throws(FFmpegError) {
        let timeBase = TimeBase(1, Int32(clamping: encoding.timing.timescale))
        var lines: [LayerLine] = []
        let divided = LayerLine.divided(pictures)
        for pieces in divided {
            let layers = pieces.map { pictures.layers[$0.layer] }
            var own = video
            (own.segments, own.composition) = (layers.map(\.segment), nil)
            let decoded = BoundedQueue<TimedFrame>(capacity: Self.pictureQueue)
            let filtered = BoundedQueue<TimedFrame>(capacity: Self.pictureQueue)
            let admission = BoundedQueue<Int>(capacity: pieces.count)
            control.onStop {
                decoded.close()
                filtered.close()
                admission.close()
            }
            let threads = max(1, DecoderThreads.forPictures(inputs, own) / divided.count)
            let decode = Confined(
                VideoDecodeStage(
                    inputs, plan: own, timing: encoding.timing, control: control, output: decoded,
                    threads: threads, admission: admission))
            let geometries = layers.map { LayerGeometry($0.layout, encoding) }
            let filter = Confined(
                VideoFilterStage(
                    inputs, plan: own, encoding: encoding, control: control, input: decoded,
                    output: PictureTaker(filtered, failing: control)
                ) { format, traits, place in
                    PictureChain(
                        format: format, traits: traits, encoding: encoding,
                        deinterlaces: deinterlaces == .auto && traits.isInterlaced
                    ).placed(by: geometries[place])
                })
            starts.append(("takeup.video.decode", { decode.value.run() }))
            starts.append(("takeup.video.filter", { filter.value.run() }))
            collectShown(own, encoding, decode, isRecounted: threads > 1)
            lines.append(
                LayerLine(
                    pieces, of: pictures, timeBase: timeBase, input: filtered,
                    admission: admission))
        }
        let mixer = Confined(
            try PictureMixer(
                pictures, encoding, lines: lines,
                texts: TextLayers(pictures, encoding, inputs), control: control, output: output))
        starts.append(("takeup.video.compose", { mixer.value.run() }))
        collectors.append { $0.shownFrames = pictures.count }
    }

    /// Collects the losses of a row of segments.
    private func collectShown(
        _ video: VideoTrackPlan, _ encoding: VideoEncoding, _ decode: Confined<VideoDecodeStage>,
        isRecounted: Bool
    ) {
        let recount = DamageRecount(
            inputs: inputs, video: video, timing: encoding.timing, control: control,
            progress: progress)
        collect(video.segments.filter { $0.track != nil }, .video) {
            isRecounted ? recount.tallies(decode.value.tallies) : decode.value.tallies
        }
    }
}

extension VideoTraits {
    fileprivate var isInterlaced: Bool { scan == .topFieldFirst || scan == .bottomFieldFirst }
}

extension PictureChain {
    /// Returns the chain that prepares pictures for their place in a composition.
    ///
    /// Transparency stays, except before a blurred copy.
    fileprivate func placed(by geometry: LayerGeometry) -> PictureChain {
        let (size, fit) = geometry.target(for: display)
        var own = encoding
        (own.width, own.height, own.area) = (size.width, size.height, nil)
        own.fit = fit == .fill ? .fill : fit == .blur ? .blur : .fit
        if format.pixelFormat.hasAlpha, fit != .blur {
            own.pixelFormat = own.pixelFormat.replacingPrefix("yuv4", with: "yuva4")
        }
        var chain = PictureChain(
            format: format, traits: traits, encoding: own, deinterlaces: deinterlaces)
        chain.stretches = fit == .stretch
        return chain
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
