/// When fields are made into frames.
public enum Deinterlace: String, Sendable, Equatable, Codable, CaseIterable {
    /// When the source is interlaced.
    case auto
    /// Never.
    case off
}
