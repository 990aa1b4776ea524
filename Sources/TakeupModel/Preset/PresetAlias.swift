/// AVFoundation's preset constants and what stands for each here.
enum PresetAlias {
    /// The shipped preset that does what the constant asks for, or the nearest that stays within its size.
    static let targets = [
        "AVAssetExportPresetLowQuality": "low",
        "AVAssetExportPresetMediumQuality": "medium",
        "AVAssetExportPresetHighestQuality": "highest",
        "AVAssetExportPreset640x480": "640x480",
        "AVAssetExportPreset960x540": "960x540",
        "AVAssetExportPreset1280x720": "1280x720",
        "AVAssetExportPreset1920x1080": "1920x1080",
        "AVAssetExportPreset3840x2160": "3840x2160",
        "AVAssetExportPresetHEVCHighestQuality": "hevc-highest",
        "AVAssetExportPresetHEVC1920x1080": "hevc-1920x1080",
        "AVAssetExportPresetHEVC3840x2160": "hevc-3840x2160",
        "AVAssetExportPresetHEVC4320x2160": "hevc-3840x2160",
        "AVAssetExportPresetHEVC7680x4320": "hevc-highest",
        "AVAssetExportPresetAppleM4A": "m4a",
        "AVAssetExportPresetPassthrough": "passthrough",
        "AVAssetExportPresetAppleM4VCellular": "low",
        "AVAssetExportPresetAppleM4ViPod": "640x480",
        "AVAssetExportPresetAppleM4V480pSD": "640x480",
        "AVAssetExportPresetAppleM4VAppleTV": "960x540",
        "AVAssetExportPresetAppleM4VWiFi": "640x480",
        "AVAssetExportPresetAppleM4V720pHD": "1280x720",
        "AVAssetExportPresetAppleM4V1080pHD": "1920x1080",
    ]

    /// Why a constant has no counterpart, with what to use instead.
    static let unsupported = [
        "AVAssetExportPresetHEVCHighestQualityWithAlpha": alpha("hevc-highest"),
        "AVAssetExportPresetHEVC1920x1080WithAlpha": alpha("hevc-1920x1080"),
        "AVAssetExportPresetHEVC3840x2160WithAlpha": alpha("hevc-3840x2160"),
        "AVAssetExportPresetMVHEVC960x960": spatial,
        "AVAssetExportPresetMVHEVC1440x1440": spatial,
        "AVAssetExportPresetMVHEVC4320x4320": spatial,
        "AVAssetExportPresetMVHEVC7680x7680": spatial,
        "AVAssetExportPresetAppleProRes422LPCM": proRes,
        "AVAssetExportPresetAppleProRes4444LPCM": proRes,
    ]

    private static let spatial =
        "libx265 writes one view, not multiview HEVC; 'hevc-highest' exports the main view"

    private static let proRes =
        "MP4 cannot hold ProRes with PCM sound; 'hevc-highest' keeps 10 bits and high dynamic range"

    private static func alpha(_ nearest: String) -> String {
        "libx265 cannot code HEVC with alpha; '\(nearest)' exports the picture without it"
    }
}
