/// Codecs with exactly one shown picture for every MP4 sample.
///
/// - Note: Source: ISO/IEC 14496-15 for H.264 and HEVC; the ISOBMFF bindings of VP9 and AV1.
enum FramesPerPacket {
    static func isOne(_ codec: String) -> Bool {
        ["h264", "hevc", "vp9", "av1"].contains(codec)
    }
}
