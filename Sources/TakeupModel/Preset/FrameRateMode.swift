/// Whether frames keep the times that the source gave them.
public enum FrameRateMode: String, Sendable, Equatable, Codable, CaseIterable {
    /// Timestamps are kept; a variable rate stays variable.
    case source
    /// Frames are repeated or left out until their spacing is equal.
    case constant
}
