/// How a preset codes the picture.
public enum VideoCodec: String, Sendable, Equatable, Codable, CaseIterable {
    /// H.264 by libx264.
    case h264
    /// HEVC by libx265, tagged `hvc1`.
    case hevc
    /// AV1 by SVT-AV1.
    case av1
    /// Packets as they are; nothing is decoded.
    case copy
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
