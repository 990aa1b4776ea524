internal import TakeupFFmpeg
internal import TakeupTimeline

/// Puts copied sound back on its samples, which a container with coarser ticks rounded away.
///
/// Matroska keeps milliseconds: blocks of 1024 samples would last 1008 and 1056 in turn.
struct SampleGrid: Equatable {
    /// One sample.
    let timeBase: TimeBase
    /// Samples of one packet.
    private let packet: Int64
    /// Samples that a time may be off by.
    private let tolerance: Int64
    private var next: Int64?

    /// - Parameters:
    ///   - rate: Samples a second, at least 1.
    ///   - packet: Samples of each packet, at least 1.
    ///   - tolerance: The length of one of the source's ticks, in samples.
    init(rate: Int, packet: Int64, tolerance: Int64) {
        timeBase = TimeBase(1, Int32(clamping: rate))
        self.packet = packet
        self.tolerance = tolerance
    }

    /// - Parameter time: When a packet is presented as the source tells it, in samples.
    /// - Returns: When it is presented: at the end of the one before it, unless the source has a gap there.
    mutating func place(_ time: Int64) -> Int64 {
        var place = time
        if let next, abs(time.subtractingClamped(next)) <= tolerance { place = next }
        next = place.addingClamped(packet)
        return place
    }
}

extension SampleGrid {
    /// The grid of a copied track of sound whose packets all hold as many samples; nil for others, and where
    /// the source's ticks are no coarser than samples.
    init?(_ stream: StreamDescription, _ parameters: CodecParameters) {
        guard let rate = stream.audioFormat?.sampleRate, rate > 0, parameters.frameSize > 0 else {
            return nil
        }
        let samples = TimeBase(1, Int32(clamping: rate))
        let tick = samples.ticks(stream.timeBase.time(1))
        guard tick > 1, tick < Int64(parameters.frameSize) else { return nil }
        self.init(rate: rate, packet: Int64(parameters.frameSize), tolerance: tick)
    }

    /// Moves a packet, whose times are in samples.
    mutating func place(_ packet: borrowing Packet) {
        guard let time = packet.ptsTicks else { return }
        let place = place(time)
        packet.ptsTicks = place
        packet.dtsTicks = place
        packet.durationTicks = self.packet
    }
}
