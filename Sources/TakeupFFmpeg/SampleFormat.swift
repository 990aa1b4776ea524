internal import CTakeupFFmpeg

/// The memory layout of audio samples.
public struct SampleFormat: Sendable, Hashable {
    let raw: AVSampleFormat

    init(_ raw: AVSampleFormat) {
        self.raw = raw
    }

    public static let floatPlanar = SampleFormat(AV_SAMPLE_FMT_FLTP)

    /// FFmpeg's name, for example `fltp`; `unknown` for none.
    public var name: String { text(av_get_sample_fmt_name(raw)) ?? "unknown" }
}
