/// Whether a preset's size limit turns with the picture.
public enum BoxOrientation: String, Sendable, Equatable, Codable, CaseIterable {
    /// The limit turns with the picture: a portrait one gets the box on end.
    case any
    /// The limit stands as written.
    case fixed
}
