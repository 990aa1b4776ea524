internal import TakeupFFmpeg

/// Decides which colours the source's numbers mean and how the output is tagged.
enum ColorPlan {
    /// Matrices that H.264, HEVC and AV1 players know.
    private static let commonMatrices: Set<String> = [
        "bt709", "smpte170m", "bt470bg", "bt2020nc",
    ]

    /// Returns the source's colour tags with missing ones filled in.
    ///
    /// - Note: Source: ITU-R BT.601 for standard and BT.709 for high definition; players guess
    ///   alike.
    static func assumed(_ tags: ColorTags, width: Int, height: Int, isRGB: Bool) -> ColorTags {
        var assumed = tags
        if isRGB {
            assumed.matrix = "gbr"
            assumed.range = "pc"
            assumed.primaries = tags.primaries ?? "bt709"
            // Players show sRGB and BT.709 numbers alike, so a conversion between them would shift
            // colours.
            let isPlain = tags.transfer == nil || tags.transfer == "iec61966-2-1"
            assumed.transfer = isPlain ? "bt709" : tags.transfer
            return assumed
        }
        let isHD = height >= 720 || width >= 1280
        let fallback = isHD ? "bt709" : (height == 576 || height == 288 ? "bt470bg" : "smpte170m")
        let matrix = tags.matrix.flatMap { $0 == "gbr" ? nil : $0 }
        assumed.matrix = matrix ?? Self.matrix(of: tags.primaries) ?? fallback
        assumed.primaries = tags.primaries ?? Self.primaries(of: assumed.matrix) ?? fallback
        assumed.transfer =
            tags.transfer
            ?? (assumed.matrix == "bt2020nc" ? "bt2020-10" : Self.transfer(of: assumed.matrix))
        assumed.range = tags.range ?? "tv"
        return assumed
    }

    /// Returns the colour tags of the output.
    static func output(_ assumed: ColorTags, toneMapped: Bool) -> ColorTags {
        if toneMapped || assumed.matrix == "gbr" {
            return ColorTags(
                primaries: "bt709", transfer: "bt709", matrix: "bt709", range: "tv",
                chromaLocation: "left")
        }
        var output = assumed
        if let matrix = assumed.matrix, !commonMatrices.contains(matrix) { output.matrix = "bt709" }
        output.range = "tv"
        output.chromaLocation = assumed.chromaLocation ?? "left"
        return output
    }

    private static func matrix(of primaries: String?) -> String? {
        switch primaries {
        case "bt709": "bt709"
        case "bt2020": "bt2020nc"
        case "smpte170m", "smpte240m": "smpte170m"
        case "bt470bg": "bt470bg"
        default: nil
        }
    }

    private static func primaries(of matrix: String?) -> String? {
        switch matrix {
        case "bt709": "bt709"
        case "bt2020nc", "bt2020c": "bt2020"
        case "smpte170m": "smpte170m"
        case "bt470bg": "bt470bg"
        default: nil
        }
    }

    private static func transfer(of matrix: String?) -> String {
        matrix == "smpte170m" || matrix == "bt470bg" ? "smpte170m" : "bt709"
    }
}
