extension PosterFormat {
    var pixelFormat: String {
        switch self {
        case .jpeg: "yuvj420p"
        case .png: "rgb24"
        }
    }

    /// From the chain's limited BT.709 into what such a picture is made of.
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

    /// The encoder's own options; of JPEG's quantiser scale 2 is best, 31 worst.
    var options: [String: String] {
        switch self {
        case .jpeg: ["qmin": "3", "qmax": "3"]
        case .png: [:]
        }
    }
}
