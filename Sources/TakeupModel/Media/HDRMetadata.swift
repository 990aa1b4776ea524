public import TakeupTimeline

/// Static HDR metadata: the mastering display's colour volume (SMPTE ST 2086) and the content light level (CTA-861.3).
public struct HDRMetadata: Sendable, Equatable, Codable {
    /// Red, green and blue x, y, then the white point's x, y (CIE 1931): eight values.
    public var chromaticities: [Ratio]
    /// Candela a square metre.
    public var minimumLuminance: Ratio?
    public var maximumLuminance: Ratio?
    /// Candela a square metre; nil when not given.
    public var maximumContentLightLevel: Int?
    public var maximumFrameAverageLightLevel: Int?

    package init(
        chromaticities: [Ratio], minimumLuminance: Ratio? = nil, maximumLuminance: Ratio? = nil,
        maximumContentLightLevel: Int? = nil, maximumFrameAverageLightLevel: Int? = nil
    ) {
        self.chromaticities = chromaticities
        self.minimumLuminance = minimumLuminance
        self.maximumLuminance = maximumLuminance
        self.maximumContentLightLevel = maximumContentLightLevel
        self.maximumFrameAverageLightLevel = maximumFrameAverageLightLevel
    }
}
