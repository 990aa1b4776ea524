internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Rotates, deinterlaces, scales and colour-converts the pictures of one output track on one lane.
///
/// If the picture format changes, the old chain is flushed and a new one is built. Empty time gets
/// black pictures.
final class VideoFilterStage {
    private let assets: [InspectedAsset]
    private let plan: VideoTrackPlan
    private let encoding: VideoEncoding
    private let control: RunControl
    private let input: BoundedQueue<TimedFrame>
    private let output: PictureTaker
    /// Chooses a segment's filters.
    private let chain: (VideoFormat, VideoTraits, Int) -> PictureChain
    private var graph: FilterGraph?
    private var format: VideoFormat?
    private var segment = -1
    /// Number of the track's segments whose empty time is filled.
    private var filled = 0
    /// Number of black pictures made.
    private(set) var blackFrames = 0

    init(
        _ inputs: RunInputs, plan: VideoTrackPlan, encoding: VideoEncoding,
        control: RunControl, input: BoundedQueue<TimedFrame>, output: PictureTaker,
        chain: @escaping (VideoFormat, VideoTraits, Int) -> PictureChain
    ) {
        assets = inputs.assets
        self.plan = plan
        self.encoding = encoding
        self.chain = chain
        self.control = control
        (self.input, self.output) = (input, output)
    }

    /// Filters everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            while let timed = input.pop() {
                guard !timed.endsSegment else {
                    try flush()
                    output.endSegment(timed.segment)
                    continue
                }
                try fill(before: timed.segment)
                try filter(timed.frame, of: timed.segment)
            }
            guard !control.isStopped else { return }
            try flush()
            try fill(before: plan.segments.count)
        } catch {
            control.fail(error, .filter)
        }
    }

    /// Fills the empty time before a segment that is not filled yet.
    private func fill(before place: Int) throws(FFmpegError) {
        for segment in plan.segments[min(filled, place)..<place] where segment.isEmpty {
            try flush()
            try fill(segment)
        }
        filled = max(filled, place)
    }

    private func fill(_ segment: TrackSegment) throws(FFmpegError) {
        guard let format = PixelFormat(named: encoding.pixelFormat) else {
            throw FFmpegError(
                .buildFilter, status: .invalidData, subject: encoding.pixelFormat)
        }
        let black = try Frame.black(width: encoding.width, height: encoding.height, format)
        let pictures = BlackPictures(segment, encoding.timing, rate: rate)
        for index in 0..<pictures.count {
            guard !control.isStopped else { return }
            let frame = try black.duplicate()
            let picture = pictures.picture(index)
            frame.ptsTicks = picture.time
            frame.durationTicks = picture.duration
            guard output.push(frame, filled) else { return }
            blackFrames += 1
        }
    }

    /// Pictures per second of the output, or of the first source.
    private var rate: Ratio? {
        encoding.timing.constantRate ?? encoding.timing.grid
            ?? plan.segments.first { $0.track != nil }.flatMap(track)?.video?.plausibleRate
    }

    private func track(_ segment: TrackSegment) -> AssetTrack? {
        assets[segment.source].description.tracks.first { $0.index == segment.track }
    }

    private func filter(_ frame: borrowing Frame, of place: Int) throws(FFmpegError) {
        let found = frame.videoFormat
        if found != format || place != segment {
            try flush()
            format = found
            segment = place
            graph = try makeGraph(found, place)
        }
        guard let graph else { return }
        frame.removeSideData()
        try graph.send(frame)
        try drain(graph)
    }

    private func makeGraph(_ format: VideoFormat, _ place: Int) throws(FFmpegError) -> FilterGraph {
        guard let traits = track(plan.segments[place])?.video else {
            throw FFmpegError(.buildFilter, status: .invalidData, subject: "segment \(place)")
        }
        return try FilterGraph(
            video: format, timeBase: timeBase, frameRate: encoding.frameRate,
            chain: chain(format, traits, place).text)
    }

    private var timeBase: TimeBase {
        TimeBase(1, Int32(clamping: encoding.timing.timescale))
    }

    private func flush() throws(FFmpegError) {
        guard let graph else { return }
        try graph.finish()
        try drain(graph)
        self.graph = nil
    }

    private func drain(_ graph: FilterGraph) throws(FFmpegError) {
        while true {
            let frame = try Frame()
            guard try graph.receive(into: frame) else { return }
            if graph.timeBase != timeBase {
                frame.ptsTicks = frame.ptsTicks.map { timeBase.rescale($0, from: graph.timeBase) }
                frame.durationTicks = 0
            }
            guard output.push(frame, segment) else { return }
        }
    }
}

/// Takes the pictures of a track.
struct PictureTaker {
    /// Takes a picture of a segment; returns whether more are wanted.
    let push: (consuming Frame, Int) -> Bool
    /// Learns that no picture of a segment follows.
    let endSegment: (Int) -> Void
    /// Learns that no picture follows.
    let finish: () -> Void

    /// Gives pictures alone.
    init(_ queue: BoundedQueue<Frame>) {
        push = { frame, _ in queue.push(frame) }
        endSegment = { _ in }
        finish = { queue.finish() }
    }

    /// Gives pictures with their segments, and where those end.
    init(_ queue: BoundedQueue<TimedFrame>, failing control: RunControl) {
        push = { frame, segment in queue.push(TimedFrame(frame: frame, segment: segment)) }
        finish = { queue.finish() }
        endSegment = { segment in
            do throws(FFmpegError) {
                _ = queue.push(
                    TimedFrame(frame: try Frame(), segment: segment, endsSegment: true))
            } catch {
                control.fail(error, .filter)
            }
        }
    }
}
