internal import CTakeupFFmpeg
public import TakeupTimeline

/// The colour volume of the display on which a picture was graded.
///
/// - Note: Source: SMPTE ST 2086.
public struct MasteringDisplay: Sendable, Equatable {
    /// x and y of red, green, blue and white, in this order; nil if not given.
    public var chromaticities: [Ratio]?
    /// Minimum and maximum luminance, in candela per square metre; nil if not given.
    public var luminance: [Ratio]?

    init(_ raw: AVMasteringDisplayMetadata) {
        let primaries = raw.display_primaries
        let white = raw.white_point
        let pairs = [
            primaries.0.0, primaries.0.1, primaries.1.0, primaries.1.1, primaries.2.0,
            primaries.2.1, white.0, white.1,
        ]
        chromaticities = raw.has_primaries == 0 ? nil : pairs.map(Ratio.init(positive:))
        luminance =
            raw.has_luminance == 0
            ? nil : [Ratio(positive: raw.min_luminance), Ratio(positive: raw.max_luminance)]
    }

    func write(to raw: UnsafeMutablePointer<AVMasteringDisplayMetadata>) {
        if let values = chromaticities?.map(Self.rational), values.count == 8 {
            raw.pointee.display_primaries.0 = (values[0], values[1])
            raw.pointee.display_primaries.1 = (values[2], values[3])
            raw.pointee.display_primaries.2 = (values[4], values[5])
            raw.pointee.white_point = (values[6], values[7])
            raw.pointee.has_primaries = 1
        }
        if let values = luminance?.map(Self.rational), values.count == 2 {
            raw.pointee.min_luminance = values[0]
            raw.pointee.max_luminance = values[1]
            raw.pointee.has_luminance = 1
        }
    }

    private static func rational(_ ratio: Ratio) -> AVRational {
        AVRational(num: Int32(clamping: ratio.numerator), den: Int32(clamping: ratio.denominator))
    }
}
