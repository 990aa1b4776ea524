internal import CTakeupFFmpeg

extension Frame {
    /// Adds another block's samples, each times its factor.
    ///
    /// - Parameters:
    ///   - other: A block with this one's channels and at most as many samples.
    ///   - gains: A factor for each of its samples.
    /// - Precondition: Both blocks are sound in planar 32-bit floating point.
    public func add(_ other: borrowing Frame, gains: [Float]) {
        let channels = raw.pointee.ch_layout.nb_channels
        precondition(
            raw.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue
                && other.raw.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue
                && channels == other.raw.pointee.ch_layout.nb_channels
                && other.sampleCount <= sampleCount && gains.count >= other.sampleCount,
            "equal planar blocks are added")
        for channel in 0..<Int(channels) {
            guard let sum = samples(of: channel), let more = other.samples(of: channel) else {
                continue
            }
            for place in 0..<other.sampleCount { sum[place] += gains[place] * more[place] }
        }
    }

    /// Returns the highest magnitude of a sample in planar 32-bit floating point.
    ///
    /// - Precondition: The frame is sound in that format.
    public func peak() -> Float {
        precondition(raw.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue, "planar float is measured")
        var peak: Float = 0
        for channel in 0..<Int(raw.pointee.ch_layout.nb_channels) {
            guard let samples = samples(of: channel) else { continue }
            for place in 0..<sampleCount { peak = max(peak, abs(samples[place])) }
        }
        return peak
    }

    private func samples(of channel: Int) -> UnsafeMutablePointer<Float>? {
        raw.pointee.extended_data[channel].map {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self)
        }
    }
}
