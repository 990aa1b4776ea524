internal import CTakeupFFmpeg

/// How a picture's samples lie in memory.
public struct PixelFormat: Sendable, Hashable {
    let raw: AVPixelFormat

    init(_ raw: AVPixelFormat) {
        self.raw = raw
    }

    /// - Returns: nil when FFmpeg has no format of that name.
    public init?(named name: String) {
        let found = av_get_pix_fmt(name)
        guard found != AV_PIX_FMT_NONE else { return nil }
        raw = found
    }

    /// Such as `yuv420p`; `unknown` for none.
    public var name: String { text(av_get_pix_fmt_name(raw)) ?? "unknown" }

    /// Bits of the deepest component; 0 when unknown.
    public var bitDepth: Int {
        guard let facts = av_pix_fmt_desc_get(raw) else { return 0 }
        let components = facts.pointee.comp
        return Int(max(components.0.depth, components.1.depth, components.2.depth))
    }

    public var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) || name == "pal8" }
    public var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB) || name == "pal8" }
    public var isPlanar: Bool { has(AV_PIX_FMT_FLAG_PLANAR) }
    /// The old formats whose name says that the range is full.
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
