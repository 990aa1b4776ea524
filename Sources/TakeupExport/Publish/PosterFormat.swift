extension PosterFormat {
    var pixelFormat: String {
        switch self {
        case .jpeg: "yuvj420p"
        case .png: "rgb24"
        }
    }

    /// Filters that convert the chain's limited-range BT.709 to the format's colours.
    ///
    /// - Note: Source: JFIF 1.02: BT.601's matrix, full range; PNG holds RGB.
    var filters: String {
        switch self {
        case .jpeg:
            "scale=in_color_matrix=bt709:out_color_matrix=bt601:in_range=tv:out_range=pc"
                + ",format=yuvj420p"
        case .png: "scale=in_color_matrix=bt709:in_range=tv:out_range=pc,format=rgb24"
        }
    }

    /// The encoder's own options; JPEG's quantiser scale is 2 at best, 31 at worst.
    var options: [String: String] {
        switch self {
        case .jpeg: ["qmin": "3", "qmax": "3"]
        case .png: [:]
        }
    }
}
