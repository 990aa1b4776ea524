/// Codecs that go into an MP4 which common players open.
enum MP4Codecs {
    static let video: Set<String> = [
        "h264", "hevc", "av1", "mpeg4", "vp9", "mpeg2video", "mpeg1video",
    ]
    static let audio: Set<String> = ["aac", "mp3", "ac3", "eac3", "alac", "opus", "flac", "mp2"]
    /// Those of sound that an M4A takes.
    ///
    /// - Note: Source: `codec_ipod_tags` of FFmpeg 5.1 and 7.1; its muxer refuses every other codec.
    static let m4aAudio: Set<String> = ["aac", "ac3", "alac"]
}

extension ContainerFormat {
    /// Tells whether sound of a codec can be copied.
    ///
    /// - Returns: Why it cannot; nil when it can.
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
