internal import Foundation
internal import TakeupTimeline

/// Guesses the bit rate of encoded pictures from what the source's own encoder needed for them.
///
/// - Note: Source: 184 exports of 56 varied clips; docs/SCRIPTING.md says how far off it was.
struct PictureEstimate {
    /// Bits that other codecs need for what H.264 needs one for.
    private static let needs = [
        "h264": 1, "hevc": 0.6, "av1": 0.5, "vp9": 0.65, "vp8": 1, "mpeg2video": 1.8,
        "mpeg1video": 2.2, "mpeg4": 1.4, "theora": 1.3, "wmv3": 1.2,
    ]
    /// Codecs that spend bits on every picture alone, or lose nothing: their rate tells little.
    private static let wasteful: Set = [
        "mjpeg", "prores", "ffv1", "gif", "dnxhd", "png", "rawvideo", "huffyuv", "utvideo",
        "indeo4", "cinepak", "qtrle", "v210", "apng", "webp", "jpeg2000", "magicyuv", "dvvideo",
    ]
    /// Bits a pixel at this quality where nothing is known of the source.
    private static let usual = 0.06
    private static let quality = 23.0
    /// What a source needed, and a little more: encoding again cannot bring back what was lost.
    private static let most = 1.6
    /// Bits a pixel at the shipped presets' qualities, generously.
    private static let generous = 0.15

    let settings: VideoSettings

    init(_ settings: VideoSettings) { self.settings = settings }

    /// Bits a second.
    func bitRate(_ source: AssetTrack, _ encoding: VideoEncoding) -> Double {
        bitRate(bitsPerPixel(source, outputPixels: encoding.pixels), encoding)
    }

    /// The same, rather too high than too low.
    func mostBitRate(_ encoding: VideoEncoding) -> Double { bitRate(Self.generous, encoding) }

    private func bitRate(_ bitsPerPixel: Double, _ encoding: VideoEncoding) -> Double {
        let rate = min(
            encoding.frameRate?.doubleValue ?? 30, encoding.timing.maximumRate ?? .infinity)
        let bits = bitsPerPixel * encoding.pixels * rate
        return min(bits, settings.maxBitRate.map { Double($0) } ?? bits)
    }

    private func bitsPerPixel(_ source: AssetTrack, outputPixels: Double) -> Double {
        let share = pow(2, (Self.quality - h264CRF) * 0.15) * codecShare
        guard let traits = source.video, let bitRate = source.bitRate, bitRate > 0 else {
            return Self.usual * share
        }
        let shown = Double(traits.displaySize.width) * Double(traits.displaySize.height)
        let rate = traits.plausibleRate?.doubleValue ?? 30
        let needed = Double(bitRate) / (shown * rate)
        // A smaller picture has more detail in each pixel.
        let detail = pow(outputPixels / shown, -0.2)
        guard !Self.wasteful.contains(source.codec) else {
            return 0.1 * pow(needed, 0.2) * share * detail
        }
        let equal = needed / (Self.needs[source.codec] ?? 1.2)
        return min(0.22 * pow(equal, 0.5) * share, equal * Self.most * codecShare) * detail
    }

    private var codecShare: Double {
        switch settings.codec {
        case .h264, .copy: 1
        case .hevc: 0.6
        case .av1: 0.5
        }
    }

    /// AV1 counts to 63.
    private var h264CRF: Double { settings.codec == .av1 ? settings.crf - 9 : settings.crf }
}

extension VideoEncoding {
    fileprivate var pixels: Double { Double(width * height) }
}
