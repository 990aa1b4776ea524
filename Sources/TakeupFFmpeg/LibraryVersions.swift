internal import CTakeupFFmpeg

/// The FFmpeg version that this process runs on.
public enum LibraryVersions {
    /// Library names and versions, for example `libavcodec` and `59.37.100`.
    public static var all: [(name: String, version: String)] {
        [
            ("libavutil", dotted(avutil_version())), ("libavcodec", dotted(avcodec_version())),
            ("libavformat", dotted(avformat_version())),
            ("libavfilter", dotted(avfilter_version())),
        ]
    }

    /// FFmpeg's release, for example `5.1.9-0+deb12u1`.
    public static var release: String { text(av_version_info()) ?? "unknown" }

    /// Returns whether FFmpeg was built with a filter.
    public static func hasFilter(_ name: String) -> Bool { avfilter_get_by_name(name) != nil }

    private static func dotted(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }
}
