/// What a track carries.
public enum MediaType: String, Sendable, Codable, CaseIterable {
    case video, audio, subtitle, data
    /// A still picture that belongs to the file: a cover, a thumbnail.
    case picture
}
