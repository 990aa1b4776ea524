/// What the numbers of a picture mean as colours, in FFmpeg's names; nil where a source does not say.
public struct ColorTags: Sendable, Equatable, Codable {
    /// Such as `bt709`, `bt2020`.
    public var primaries: String?
    /// Such as `bt709`, `smpte2084`, `arib-std-b67`.
    public var transfer: String?
    /// Such as `bt709`, `smpte170m`, `gbr`.
    public var matrix: String?
    /// `tv` (limited) or `pc` (full).
    public var range: String?
    /// Such as `left`, `topleft`.
    public var chromaLocation: String?

    public init(
        primaries: String? = nil, transfer: String? = nil, matrix: String? = nil,
        range: String? = nil, chromaLocation: String? = nil
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.range = range
        self.chromaLocation = chromaLocation
    }

    /// Perceptual quantiser or hybrid log-gamma.
    public var isHDR: Bool { transfer == "smpte2084" || transfer == "arib-std-b67" }
}
