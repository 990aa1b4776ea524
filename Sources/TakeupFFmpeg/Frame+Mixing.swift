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

    /// Returns the sum of squares of each channel's samples in a stretch, each sample times its factor.
    ///
    /// - Parameters:
    ///   - range: Within the block's samples.
    ///   - gains: A factor for each of the block's samples.
    /// - Returns: A sum for each channel.
    /// - Precondition: The frame is sound in planar 32-bit floating point.
    public func squares(of range: Range<Int>, gains: [Float]) -> [Double] {
        precondition(
            raw.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue && range.upperBound <= sampleCount
                && range.upperBound <= gains.count, "a stretch of a planar block is measured")
        return (0..<Int(raw.pointee.ch_layout.nb_channels)).map { channel in
            guard let samples = samples(of: channel) else { return 0 }
            var sum: Float = 0
            for place in range {
                let sample = samples[place] * gains[place]
                sum += sample * sample
            }
            return Double(sum)
        }
    }

    private func samples(of channel: Int) -> UnsafeMutablePointer<Float>? {
        raw.pointee.extended_data[channel].map {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self)
        }
    }
}
