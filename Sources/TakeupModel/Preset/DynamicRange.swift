/// What becomes of a high dynamic range picture.
public enum DynamicRange: String, Sendable, Equatable, Codable, CaseIterable {
    /// High dynamic range is mapped to standard range.
    case sdr
    /// The source's range, transfer and primaries stay.
    case keep
}
