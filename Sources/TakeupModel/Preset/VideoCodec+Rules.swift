extension VideoCodec {
    private static let x26xSpeeds = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
        "veryslow", "placebo",
    ]

    /// The constant rate factors that the encoder takes.
    ///
    /// - Note: 0 is left out: for libx264 it means lossless coding, which the High profile cannot hold.
    var crfRange: ClosedRange<Double> {
        switch self {
        case .h264, .hevc: 1...51
        case .av1: 1...63
        case .copy: 0...0
        }
    }

    var defaultCRF: Double {
        switch self {
        case .h264: 22
        case .hevc: 23
        case .av1: 32
        case .copy: 0
        }
    }

    /// How many pixels a side of a picture may have.
    ///
    /// - Note: Source: what x264 164, x265 3.5 and SVT-AV1 1.4 took and refused when they were tried.
    package var sides: ClosedRange<Int> {
        switch self {
        case .h264, .copy: 2...16_384
        case .hevc: 16...16_384
        case .av1: 64...8_704
        }
    }

    /// What `speed` may say, slowest and fastest at the ends.
    var speeds: [String] {
        switch self {
        case .h264, .hevc: Self.x26xSpeeds
        case .av1: (0...13).map(String.init)
        case .copy: []
        }
    }

    var defaultSpeed: String {
        switch self {
        case .h264, .hevc: "medium"
        case .av1: "8"
        case .copy: ""
        }
    }

    /// The profiles that hold 4:2:0 pictures of a bit depth.
    func profiles(bitDepth: Int) -> [String] {
        switch (self, bitDepth) {
        case (.h264, 8): ["baseline", "main", "high"]
        case (.h264, _): ["high10"]
        case (.hevc, 8): ["main", "main10"]
        case (.hevc, _): ["main10"]
        case (.av1, _): ["main"]
        case (.copy, _): []
        }
    }

    var tunes: [String] {
        switch self {
        case .h264:
            [
                "film", "animation", "grain", "stillimage", "psnr", "ssim", "fastdecode",
                "zerolatency",
            ]
        case .hevc: ["animation", "grain", "psnr", "ssim", "fastdecode", "zerolatency"]
        case .av1, .copy: []
        }
    }
}
