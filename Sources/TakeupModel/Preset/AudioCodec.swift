/// How a preset codes the sound.
public enum AudioCodec: String, Sendable, Equatable, Codable, CaseIterable {
    /// AAC Low Complexity.
    case aac
    /// Packets as they are; nothing is decoded.
    case copy
}
