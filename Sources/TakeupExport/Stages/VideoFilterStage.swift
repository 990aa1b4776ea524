internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Rotates, deinterlaces, scales and colour-converts the pictures of one output track on one lane.
///
/// If the picture format changes, the old chain is flushed and a new one is built.
final class VideoFilterStage {
    private let assets: [InspectedAsset]
    private let plan: VideoTrackPlan
    private let encoding: VideoEncoding
    private let deinterlaces: Bool
    private let control: RunControl
    private let input: BoundedQueue<TimedFrame>
    private let output: BoundedQueue<Frame>
    private var graph: FilterGraph?
    private var format: VideoFormat?
    private var segment = -1

    init(
        _ inputs: RunInputs, plan: VideoTrackPlan, encoding: VideoEncoding,
        deinterlaces: Bool, control: RunControl,
        queues: (input: BoundedQueue<TimedFrame>, output: BoundedQueue<Frame>)
    ) {
        assets = inputs.assets
        self.plan = plan
        self.encoding = encoding
        self.deinterlaces = deinterlaces
        self.control = control
        (input, output) = queues
    }

    /// Filters everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            while let timed = input.pop() {
                try filter(timed.frame, of: timed.segment)
            }
            guard !control.isStopped else { return }
            try flush()
        } catch {
            control.fail(error, .filter)
        }
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
        let segment = plan.segments[place]
        let track = assets[segment.source].description.tracks.first { $0.index == segment.track }
        guard let traits = track?.video else {
            throw FFmpegError(.buildFilter, status: .invalidData, subject: "segment \(place)")
        }
        let isInterlaced = traits.scan == .topFieldFirst || traits.scan == .bottomFieldFirst
        let chain = PictureChain(
            format: format, traits: traits, encoding: encoding,
            deinterlaces: deinterlaces && isInterlaced)
        return try FilterGraph(
            video: format, timeBase: timeBase, frameRate: encoding.frameRate, chain: chain.text)
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
            guard output.push(frame) else { return }
        }
    }
}
