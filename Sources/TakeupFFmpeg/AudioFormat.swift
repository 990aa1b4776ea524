internal import CTakeupFFmpeg

/// The properties of sound that every block in one filter graph must share.
public struct AudioFormat: Sendable, Hashable {
    /// Samples per second.
    public let sampleRate: Int
    public let sampleFormat: SampleFormat
    public let layout: ChannelLayout

    public init(sampleRate: Int, sampleFormat: SampleFormat, layout: ChannelLayout) {
        self.sampleRate = sampleRate
        self.sampleFormat = sampleFormat
        self.layout = layout
    }

    init(_ frame: UnsafePointer<AVFrame>) {
        sampleRate = Int(frame.pointee.sample_rate)
        sampleFormat = SampleFormat(AVSampleFormat(frame.pointee.format))
        layout = ChannelLayout(frame.pointee.ch_layout)
    }
}
