internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Encodes the pictures of one output track on one lane.
final class VideoEncodeStage {
    /// Highest number of pictures that are always decoded in the order in which they are shown.
    private static let mostInOrder = 2

    private let encoder: Encoder
    private let control: RunControl
    private let input: BoundedQueue<Frame>
    private let output: BoundedQueue<Packet>
    private let endTicks: Int64
    private var regulator: FrameRateRegulator
    private let gridStep: Int64?
    private var lastStep: Int64
    private var pending: Frame?
    /// Durations of the pictures in the encoder, by presentation time.
    private var durations: [Int64: Int64] = [:]
    private var held: Packet?
    private var firstDTS: Int64?
    private var shownUntil: Int64 = 0
    /// Whether the source shows the last picture up to the range's end; known once the input ends.
    private let lastsToEnd: Locked<Bool>
    /// Whether empty time ends the track: its last picture lasts exactly to the end.
    private let endsInEmptyTime: Bool
    private(set) var frames = 0
    /// Number of pictures that the next one replaced in the same tick.
    private var replaced = 0
    /// Whether the encoder got its last picture.
    private var hasEnded = false

    /// Creates the stage; the encoder must be opened with the plan's settings and belong to this
    /// stage only.
    init(
        _ encoder: Encoder, encoding: VideoEncoding, plan: VideoTrackPlan, control: RunControl,
        queues: (input: BoundedQueue<Frame>, output: BoundedQueue<Packet>),
        lastsToEnd: Locked<Bool> = Locked(false)
    ) {
        self.lastsToEnd = lastsToEnd
        self.encoder = encoder
        self.control = control
        (input, output) = queues
        // Joins without a timeline's wishes keep their even steps over the seams.
        let seams = plan.segments.contains(where: \.isMade) ? plan.segments.dropFirst() : []
        regulator = FrameRateRegulator(
            encoding.timing,
            seams: seams.map { $0.targetStart.ticks(of: 1, over: encoding.timing.timescale) })
        let last = plan.segments.last
        endsInEmptyTime = last?.isEmpty ?? false
        let end =
            plan.composition.map { $0.time(of: $0.count) }
            ?? last.map { $0.targetStart + $0.duration } ?? .zero
        endTicks = end.ticks(of: 1, over: encoding.timing.timescale)
        let rate = encoding.frameRate ?? Ratio(25, 1)
        gridStep = encoding.timing.grid.map {
            encoding.timing.timescale * $0.denominator / max(1, $0.numerator)
        }
        lastStep = encoding.timing.timescale * rate.denominator / max(1, rate.numerator)
    }

    var repeatedFrames: Int { regulator.repeated }
    var droppedFrames: Int { regulator.dropped + replaced }

    /// Encodes everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            while let frame = input.pop() { try take(frame) }
            guard !control.isStopped else { return }
            if let last = pending.take() { try encodeLast(last) }
            try encoder.finish()
            hasEnded = true
            try drain()
            pushLast()
        } catch {
            control.fail(error, .encode)
        }
    }

    private func take(_ frame: consuming Frame) throws(FFmpegError) {
        let start = frame.ptsTicks ?? 0
        if let previous = pending.take() {
            let step = start - (previous.ptsTicks ?? start)
            if step > 0 {
                lastStep = step
                try encode(previous, until: start)
            } else {
                replaced += 1
            }
        }
        pending = consume frame
    }

    /// Encodes the last picture, up to the planned end or for its own duration, whichever is
    /// shorter.
    ///
    /// A picture that the source shows beyond the range lasts up to the planned end.
    /// Without a duration in the source, the picture lasts as long as the one before.
    private func encodeLast(_ frame: consuming Frame) throws(FFmpegError) {
        let start = frame.ptsTicks ?? 0
        let step = onGrid(frame.durationTicks > 0 ? frame.durationTicks : max(1, lastStep))
        if endsInEmptyTime, endTicks > start { return try encode(frame, until: endTicks) }
        let rest = onGrid(endTicks - start)
        if rest > step, lastsToEnd.withLock({ $0 }) {
            return try encode(frame, until: endTicks)
        }
        try encode(frame, until: start + ((1..<max(2, step)).contains(rest) ? rest : step))
    }

    /// Returns the exact frame duration of a constant rate, if a coarse source clock has rounded
    /// it.
    private func onGrid(_ length: Int64) -> Int64 {
        guard let gridStep else { return length }
        return abs(length - gridStep) <= gridStep / 10 ? gridStep : length
    }

    private func encode(_ frame: consuming Frame, until end: Int64) throws(FFmpegError) {
        let times = regulator.times(from: frame.ptsTicks ?? 0, to: end)
        frame.prepareForEncoding()
        for (place, time) in times.enumerated() {
            guard !control.isStopped else { return }
            let copy = try frame.duplicate()
            copy.ptsTicks = time
            copy.durationTicks = (place + 1 < times.count ? times[place + 1] : end) - time
            durations[time] = copy.durationTicks
            shownUntil = time + copy.durationTicks
            try send(copy)
        }
    }

    private func send(_ frame: borrowing Frame) throws(FFmpegError) {
        while try !encoder.send(frame) { try drain() }
        frames += 1
        try drain()
    }

    private func drain() throws(FFmpegError) {
        while true {
            let packet = try Packet()
            guard try encoder.receive(into: packet) else { return }
            if let time = packet.ptsTicks, let length = durations.removeValue(forKey: time) {
                packet.durationTicks = length
            }
            // Two pictures are never reordered. For streams shorter than its delay, x265 3.5 computes
            // the decoding times from an uninitialised length.
            if hasEnded, frames <= Self.mostInOrder { packet.dtsTicks = packet.ptsTicks }
            firstDTS = firstDTS ?? packet.dtsTicks
            guard pushHeld() else { return }
            held = consume packet
        }
    }

    private func pushHeld() -> Bool {
        guard let packet = held.take() else { return true }
        return output.push(packet)
    }

    /// Lengthens the last packet in decoding order, so that the track also lasts to its end in
    /// decoding order.
    private func pushLast() {
        guard let packet = held.take() else { return }
        if let first = firstDTS, let last = packet.dtsTicks, let pts = packet.ptsTicks {
            let wanted = shownUntil - (last - first)
            packet.durationTicks = max(packet.durationTicks, min(wanted, shownUntil - pts))
        }
        _ = output.push(packet)
    }
}
