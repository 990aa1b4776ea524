internal import Foundation
internal import TakeupTimeline

/// Estimates the bit rate of encoded pictures from the bit rate of the source.
///
/// - Note: Source: 184 exports of 56 varied clips; docs/SCRIPTING.md says how far off it was.
struct PictureEstimate {
    /// Bits that each codec needs for the same picture, relative to H.264.
    private static let needs = [
        "h264": 1, "hevc": 0.6, "av1": 0.5, "vp9": 0.65, "vp8": 1, "mpeg2video": 1.8,
        "mpeg1video": 2.2, "mpeg4": 1.4, "theora": 1.3, "wmv3": 1.2,
    ]
    /// Intra-only or lossless codecs: their bit rate says little.
    private static let wasteful: Set = [
        "mjpeg", "prores", "ffv1", "gif", "dnxhd", "png", "rawvideo", "huffyuv", "utvideo",
        "indeo4", "cinepak", "qtrle", "v210", "apng", "webp", "jpeg2000", "magicyuv", "dvvideo",
    ]
    /// Bits per pixel at this quality if nothing is known of the source.
    private static let usual = 0.06
    private static let quality = 23.0
    /// Upper limit relative to the source's bits: encoding again cannot restore lost detail.
    private static let most = 1.6
    /// Generous bits per pixel at the shipped presets' qualities.
    private static let generous = 0.15

    let settings: VideoSettings

    init(_ settings: VideoSettings) { self.settings = settings }

    /// Returns the estimated bit rate, in bits per second.
    func bitRate(_ source: AssetTrack, _ encoding: VideoEncoding) -> Double {
        bitRate(bitsPerPixel(source, outputPixels: encoding.pixels), encoding)
    }

    /// Returns a high estimate of the bit rate, in bits per second.
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

    /// The CRF on H.264's scale; AV1's scale goes up to 63.
    private var h264CRF: Double { settings.codec == .av1 ? settings.crf - 9 : settings.crf }
}

extension VideoEncoding {
    fileprivate var pixels: Double { Double(width * height) }
}
