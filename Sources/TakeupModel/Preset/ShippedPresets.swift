import Foundation

/// The files of `presets/`, embedded in the binary at build time.
enum ShippedPresets {
    // SwiftPM puts `_` in place of a file name's leading digit.
    private static let files: [[UInt8]] = [
        PackageResources.low_json,
        PackageResources.medium_json,
        PackageResources.highest_json,
        PackageResources._40x480_json,
        PackageResources._60x540_json,
        PackageResources._280x720_json,
        PackageResources._920x1080_json,
        PackageResources._840x2160_json,
        PackageResources.hevc_highest_json,
        PackageResources.hevc_1920x1080_json,
        PackageResources.hevc_3840x2160_json,
        PackageResources.m4a_json,
        PackageResources.passthrough_json,
        PackageResources.stories_json,
        PackageResources.av1_1920x1080_json,
        PackageResources.proxy_json,
        PackageResources.social_10mb_json,
        PackageResources.social_25mb_json,
        PackageResources.social_50mb_json,
    ]

    static func decoded() -> [ExportPreset] {
        files.map { bytes in
            do {
                return try ExportPreset.decode(Data(bytes), from: "a shipped preset")
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }
}
