internal import CTakeupFFmpeg

/// One decoded picture or block of sound, freed when the value goes out of scope.
public struct Frame: ~Copyable {
    let raw: UnsafeMutablePointer<AVFrame>

    public init() throws(FFmpegError) {
        raw = try allocated(av_frame_alloc(), "a frame")
    }

    deinit {
        var raw: UnsafeMutablePointer<AVFrame>? = raw
        av_frame_free(&raw)
    }

    /// Presentation time, in ticks of the frame's producer; nil if unknown.
    public var ptsTicks: Int64? {
        get { timestamp(raw.pointee.pts) }
        nonmutating set { raw.pointee.pts = newValue ?? takeup_no_timestamp }
    }

    /// The decoder's best guess of the presentation time, from PTS and DTS.
    public var bestEffortTicks: Int64? { timestamp(raw.pointee.best_effort_timestamp) }

    /// Duration in ticks; 0 if unknown.
    public var durationTicks: Int64 {
        get { takeup_frame_duration(raw) }
        nonmutating set { takeup_frame_set_duration(raw, newValue) }
    }

    public var isKey: Bool { raw.pointee.pict_type == AV_PICTURE_TYPE_I }
    public var isInterlaced: Bool { takeup_frame_is_interlaced(raw) != 0 }
    public var isTopFieldFirst: Bool { takeup_frame_is_top_field_first(raw) != 0 }

    /// Whether the decoder concealed damage in the frame.
    public var isDamaged: Bool {
        raw.pointee.decode_error_flags != 0 || raw.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    public var videoFormat: VideoFormat { VideoFormat(raw) }
    public var audioFormat: AudioFormat { AudioFormat(raw) }
    /// Samples per channel; 0 for pictures.
    public var sampleCount: Int { Int(raw.pointee.nb_samples) }

    /// Lets the encoder choose the picture type and marks the frame progressive.
    public func prepareForEncoding() {
        raw.pointee.pict_type = AV_PICTURE_TYPE_NONE
        takeup_frame_set_progressive(raw)
        raw.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    }

    /// Frees the payload and resets every field.
    public func clear() {
        av_frame_unref(raw)
    }

    /// Creates a second frame that shares the payload.
    public func duplicate() throws(FFmpegError) -> Frame {
        let copy = try Frame()
        try check(av_frame_ref(copy.raw, raw), .allocate, "a frame")
        return copy
    }

    /// Removes samples of sound from the front.
    ///
    /// - Parameter count: Samples per channel, less than `sampleCount`.
    /// - Throws: `FFmpegError` with `.allocate`.
    public func dropFirstSamples(_ count: Int) throws(FFmpegError) {
        precondition(count > 0 && count < sampleCount, "some samples must stay")
        let kept = try Frame()
        kept.raw.pointee.nb_samples = raw.pointee.nb_samples - Int32(count)
        try copySamples(to: kept, from: count)
        av_frame_unref(raw)
        av_frame_move_ref(raw, kept.raw)
    }

    /// Keeps only the first samples of sound.
    ///
    /// - Parameter count: Samples per channel, 1 to `sampleCount`.
    public func keepFirstSamples(_ count: Int) {
        precondition(count > 0 && count <= sampleCount, "some samples must stay")
        raw.pointee.nb_samples = Int32(count)
    }

    /// Creates a black picture of limited range.
    ///
    /// - Throws: `FFmpegError` with `.allocate`.
    public static func black(
        width: Int, height: Int, _ format: PixelFormat
    ) throws(FFmpegError) -> Frame {
        let frame = try Frame()
        frame.raw.pointee.width = Int32(width)
        frame.raw.pointee.height = Int32(height)
        frame.raw.pointee.format = format.raw.rawValue
        frame.raw.pointee.color_range = AVCOL_RANGE_MPEG
        try check(av_frame_get_buffer(frame.raw, 0), .allocate, "a black picture")
        let sizes = frame.raw.pointee.linesize
        let lines = [Int(sizes.0), Int(sizes.1), Int(sizes.2), Int(sizes.3)]
        try check(
            av_image_fill_black(
                frame.raw.pointee.extended_data, lines, format.raw, AVCOL_RANGE_MPEG,
                Int32(width), Int32(height)), .allocate, "a black picture")
        return frame
    }

    /// Creates a block of silence.
    public static func silence(_ format: AudioFormat, samples: Int) throws(FFmpegError) -> Frame {
        let frame = try Frame()
        frame.raw.pointee.nb_samples = Int32(samples)
        frame.raw.pointee.format = format.sampleFormat.raw.rawValue
        frame.raw.pointee.sample_rate = Int32(format.sampleRate)
        try format.layout.copy(to: &frame.raw.pointee.ch_layout)
        try check(av_frame_get_buffer(frame.raw, 0), .allocate, "\(samples) samples of silence")
        av_samples_set_silence(
            frame.raw.pointee.extended_data, 0, Int32(samples), Int32(format.layout.channels),
            format.sampleFormat.raw)
        return frame
    }

    /// Creates a block that joins this one's start without a jump.
    ///
    /// The new block holds the samples in reverse order, and inverted if the sound begins near 0.
    ///
    /// - Precondition: The frame is sound in planar 32-bit floating point.
    /// - Throws: `FFmpegError` with `.allocate`.
    public func mirrored() throws(FFmpegError) -> Frame {
        precondition(raw.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue, "planar float is mirrored")
        let copy = try Frame()
        copy.raw.pointee.nb_samples = raw.pointee.nb_samples
        try copySamples(to: copy, from: 0)
        for channel in 0..<Int(raw.pointee.ch_layout.nb_channels) {
            guard let plane = copy.raw.pointee.extended_data[channel] else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: sampleCount) { samples in
                let isNearZero = sampleCount > 1 && abs(samples[0]) < abs(samples[1] - samples[0])
                var all = UnsafeMutableBufferPointer(start: samples, count: sampleCount)
                all.reverse()
                if isNearZero { for place in all.indices { all[place].negate() } }
            }
        }
        return copy
    }

    private func copySamples(to target: borrowing Frame, from offset: Int) throws(FFmpegError) {
        let count = target.raw.pointee.nb_samples
        target.raw.pointee.format = raw.pointee.format
        target.raw.pointee.sample_rate = raw.pointee.sample_rate
        try check(
            av_channel_layout_copy(&target.raw.pointee.ch_layout, &raw.pointee.ch_layout),
            .allocate, "a channel layout")
        try check(av_frame_get_buffer(target.raw, 0), .allocate, "\(count) samples")
        av_frame_copy_props(target.raw, raw)
        av_samples_copy(
            target.raw.pointee.extended_data, raw.pointee.extended_data, 0, Int32(offset), count,
            raw.pointee.ch_layout.nb_channels, AVSampleFormat(raw.pointee.format))
    }
}

// Safe: a noncopyable value has one owner, and `AVFrame` is tied to no thread.
extension Frame: @unchecked Sendable {}
