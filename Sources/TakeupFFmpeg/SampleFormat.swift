internal import CTakeupFFmpeg

/// How samples of sound lie in memory.
public struct SampleFormat: Sendable, Hashable {
    let raw: AVSampleFormat

    init(_ raw: AVSampleFormat) {
        self.raw = raw
    }

    public static let floatPlanar = SampleFormat(AV_SAMPLE_FMT_FLTP)

    /// Such as `fltp`; `unknown` for none.
    public var name: String { text(av_get_sample_fmt_name(raw)) ?? "unknown" }
}
