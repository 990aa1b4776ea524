internal import CTakeupFFmpeg

/// The memory layout of a picture's samples.
public struct PixelFormat: Sendable, Hashable {
    let raw: AVPixelFormat

    init(_ raw: AVPixelFormat) {
        self.raw = raw
    }

    /// - Returns: nil if FFmpeg has no format of that name.
    public init?(named name: String) {
        let found = av_get_pix_fmt(name)
        guard found != AV_PIX_FMT_NONE else { return nil }
        raw = found
    }

    /// FFmpeg's name, for example `yuv420p`; `unknown` for none.
    public var name: String { text(av_get_pix_fmt_name(raw)) ?? "unknown" }

    /// Bit depth of the deepest component; 0 if unknown.
    public var bitDepth: Int {
        guard let facts = av_pix_fmt_desc_get(raw) else { return 0 }
        let components = facts.pointee.comp
        return Int(max(components.0.depth, components.1.depth, components.2.depth))
    }

    public var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) || name == "pal8" }
    /// Whether the samples are red, green and blue, or CIE XYZ, which swscale converts to these.
    public var isRGB: Bool {
        has(AV_PIX_FMT_FLAG_RGB) || name == "pal8" || name.hasPrefix("xyz12")
    }
    /// Whether this is an old format (`yuvj…`) whose name implies full range.
    public var isFullRangeByName: Bool { name.hasPrefix("yuvj") }
    public var isGray: Bool {
        name.hasPrefix("gray") || name.hasPrefix("mono") || name.hasPrefix("ya")
    }

    /// Powers of two by which chroma is smaller than luma.
    public var chromaShift: (horizontal: Int, vertical: Int) {
        guard let facts = av_pix_fmt_desc_get(raw) else { return (0, 0) }
        return (Int(facts.pointee.log2_chroma_w), Int(facts.pointee.log2_chroma_h))
    }

    private func has(_ flag: Int32) -> Bool {
        guard let facts = av_pix_fmt_desc_get(raw) else { return false }
        return facts.pointee.flags & UInt64(flag) != 0
    }
}
