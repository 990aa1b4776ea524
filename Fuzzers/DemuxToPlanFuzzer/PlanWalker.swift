internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

@testable import TakeupExport

/// Reads the first packets of every track of a plan as the stages of an export would.
struct PlanWalker {
    private static let packets = 12

    let opened: OpenedSource
    let asset: InspectedAsset
    let plan: ExportPlan
    let limits: InputLimits

    func walk() {
        if let video = plan.video, let segment = video.segments.first {
            switch video.mode {
            case .copy: copy(segment, isVideo: true)
            case .encode(let encoding): decodePictures(segment, encoding)
            }
        }
        for audio in plan.audio {
            guard let segment = audio.segments.first else { continue }
            switch audio.mode {
            case .copy: copy(segment, isVideo: false)
            case .encode(let encoding): decodeSound(segment, encoding)
            }
        }
    }

    private func reader(_ segment: TrackSegment) -> SegmentReader? {
        guard let track = segment.track else { return nil }
        guard
            let reader = try? SegmentReader(
                opened, asset, segment, track: track, cancellation: Cancellation())
        else { return nil }
        if !segment.isWhole { _ = try? reader.enter(noLaterThan: segment.sourceStart) }
        return reader
    }

    private func copy(_ segment: TrackSegment, isVideo: Bool) {
        guard let reader = reader(segment), let packet = try? Packet() else { return }
        var placer = PacketPlacer(segment, timeBase: reader.stream.timeBase, isVideo: isVideo)
        var left = Self.packets
        while left > 0, (try? reader.next(packet)) == true {
            if placer.place(packet) == .past { return }
            left -= 1
        }
    }

    private func decodePictures(_ segment: TrackSegment, _ encoding: VideoEncoding) {
        guard let reader = reader(segment),
            let traits = asset.description.tracks.first(where: { $0.index == segment.track })?.video
        else { return }
        var clock = FrameClock(
            encoding.timing, segment, sourceTick: reader.stream.timeBase.tick,
            rate: traits.plausibleRate)
        var regulator = FrameRateRegulator(encoding.timing)
        var last: Int64?
        eachFrame(reader) { frame, time in
            let chain = PictureChain(
                format: frame.videoFormat, traits: traits, encoding: encoding, deinterlaces: true)
            precondition(!chain.text.isEmpty, "a chain of filters is empty")
            guard case .show(let ticks) = clock.place(time) else { return }
            if let last { _ = regulator.times(from: last, to: min(ticks, last + 100_000)) }
            last = ticks
        }
    }

    private func decodeSound(_ segment: TrackSegment, _ encoding: AudioEncoding) {
        guard let reader = reader(segment) else { return }
        var clock: SoundClock?
        eachFrame(reader) { frame, time in
            let format = frame.audioFormat
            guard format.sampleRate > 0 else { return }
            let chain = SoundChain(format: format, encoding: encoding)
            precondition(!chain.text.isEmpty, "a chain of filters is empty")
            var current =
                clock
                ?? SoundClock(
                    sampleRate: format.sampleRate, duration: segment.duration,
                    sourceTick: reader.stream.timeBase.tick)
            if current.sampleRate != format.sampleRate { current.changeRate(to: format.sampleRate) }
            let placement = current.place(time, count: frame.sampleCount)
            precondition(
                placement.silence >= 0 && placement.drop >= 0 && placement.keep >= 0
                    && placement.drop + placement.keep <= frame.sampleCount,
                "a block of sound is given more samples than it has")
            clock = current
        }
    }

    private func eachFrame(
        _ reader: SegmentReader, _ body: (borrowing Frame, MediaTime?) -> Void
    ) {
        var settings = Decoder.Settings()
        settings.pixelLimit = limits.pixels
        guard let parameters = try? reader.parameters(),
            let decoder = try? Decoder(
                parameters, timeBase: reader.stream.timeBase, settings: settings),
            let packet = try? Packet(), let frame = try? Frame()
        else { return }
        var left = Self.packets
        while left > 0, (try? reader.next(packet)) == true {
            left -= 1
            guard (try? decoder.send(packet)) == true else { continue }
            while (try? decoder.receive(into: frame)) == true {
                let ticks = frame.bestEffortTicks ?? frame.ptsTicks
                let time = ticks.map {
                    reader.stream.timeBase.time($0) - reader.segment.sourceStart
                }
                body(frame, time)
            }
        }
    }
}
