internal import TakeupFFmpeg
internal import TakeupTimeline

/// Restores the sample-exact times of copied sound that a container with coarser ticks has rounded.
///
/// Matroska stores milliseconds: blocks of 1024 samples would alternately last 1008 and 1056
/// samples.
struct SampleGrid: Equatable {
    /// A time base with one tick per sample.
    let timeBase: TimeBase
    /// Samples per packet.
    private let packet: Int64
    /// Largest difference of a rounded time, in samples.
    private let tolerance: Int64
    private var next: Int64?

    /// - Parameters:
    ///   - rate: Samples per second, at least 1.
    ///   - packet: Samples per packet, at least 1.
    ///   - tolerance: Length of one source tick, in samples.
    init(rate: Int, packet: Int64, tolerance: Int64) {
        timeBase = TimeBase(1, Int32(clamping: rate))
        self.packet = packet
        self.tolerance = tolerance
    }

    /// - Parameter time: A packet's presentation time according to the source, in samples.
    /// - Returns: The exact presentation time: the end of the previous packet, unless the source
    ///   has a gap before this packet.
    mutating func place(_ time: Int64) -> Int64 {
        var place = time
        if let next, abs(time.subtractingClamped(next)) <= tolerance { place = next }
        next = place.addingClamped(packet)
        return place
    }
}

extension SampleGrid {
    /// Creates the grid for a copied audio track with equal packets.
    ///
    /// Fails for other tracks, and if the source's ticks are no coarser than samples.
    init?(_ stream: StreamDescription, _ parameters: CodecParameters) {
        guard let rate = stream.audioFormat?.sampleRate, rate > 0, parameters.frameSize > 0 else {
            return nil
        }
        let samples = TimeBase(1, Int32(clamping: rate))
        let tick = samples.ticks(stream.timeBase.time(1))
        guard tick > 1, tick < Int64(parameters.frameSize) else { return nil }
        self.init(rate: rate, packet: Int64(parameters.frameSize), tolerance: tick)
    }

    /// Corrects the times of a packet, which are in samples.
    mutating func place(_ packet: borrowing Packet) {
        guard let time = packet.ptsTicks else { return }
        let place = place(time)
        packet.ptsTicks = place
        packet.dtsTicks = place
        packet.durationTicks = self.packet
    }
}
