/// Codecs that common players can play from an MP4.
enum MP4Codecs {
    static let video: Set<String> = [
        "h264", "hevc", "av1", "mpeg4", "vp9", "mpeg2video", "mpeg1video",
    ]
    static let audio: Set<String> = ["aac", "mp3", "ac3", "eac3", "alac", "opus", "flac", "mp2"]
    /// Audio codecs that an M4A accepts.
    ///
    /// - Note: Source: `codec_ipod_tags` of FFmpeg 5.1 and 7.1; its muxer refuses every other
    ///   codec.
    static let m4aAudio: Set<String> = ["aac", "ac3", "alac"]
}

extension ContainerFormat {
    /// Checks whether the container accepts copied sound of a codec.
    ///
    /// - Returns: Why it does not; nil if it does.
    func obstacle(copyingAudio codec: String) -> PlanReason? {
        switch self {
        case .mp4:
            return MP4Codecs.audio.contains(codec)
                ? nil : PlanReason(.codecNotInMP4, "\(codec) audio does not go into MP4")
        case .m4a:
            if MP4Codecs.m4aAudio.contains(codec) { return nil }
            let other = MP4Codecs.audio.contains(codec) ? "; a name that ends in .mp4 takes it" : ""
            return PlanReason(.codecNotInMP4, "\(codec) audio does not go into M4A\(other)")
        }
    }
}
