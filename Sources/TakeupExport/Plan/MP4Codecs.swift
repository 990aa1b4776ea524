/// Codecs that go into an MP4 which common players open.
enum MP4Codecs {
    static let video: Set<String> = [
        "h264", "hevc", "av1", "mpeg4", "vp9", "mpeg2video", "mpeg1video",
    ]
    static let audio: Set<String> = ["aac", "mp3", "ac3", "eac3", "alac", "opus", "flac", "mp2"]
}

extension VideoCodec {
    /// FFmpeg's encoder for it; nil for a copy.
    public var encoderName: String? {
        switch self {
        case .h264: "libx264"
        case .hevc: "libx265"
        case .av1: "libsvtav1"
        case .copy: nil
        }
    }
}
