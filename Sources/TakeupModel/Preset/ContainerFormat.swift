/// The file format that a preset writes.
public enum ContainerFormat: String, Sendable, Equatable, Codable, CaseIterable {
    /// MPEG-4 with picture, sound and text.
    case mp4
    /// MPEG-4 with sound only.
    case m4a
}
