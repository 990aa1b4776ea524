/// Pixel formats that the scaler can read directly.
enum PlanarFormats {
    /// FFmpeg's names of the formats that `zscale` accepts on little-endian machines.
    ///
    /// - Note: Source: FFmpeg 5.1, `vf_zscale.c`.
    static let zimg: Set<String> = {
        let depths = ["", "9le", "10le", "12le", "14le", "16le"]
        var names: Set = [
            "yuv410p", "yuv411p", "yuv440p", "yuvj411p", "yuvj420p",
            "yuvj422p", "yuvj440p", "yuvj444p", "gbrap", "gbrap16le", "gbrpf32le", "gbrapf32le",
        ]
        for layout in ["yuv420p", "yuv422p", "yuv444p", "gbrp"] {
            names.formUnion(depths.map { layout + $0 })
        }
        for layout in ["yuva420p", "yuva422p", "yuva444p"] {
            names.formUnion(["", "9le", "10le", "16le"].map { layout + $0 })
        }
        return names
    }()
}
