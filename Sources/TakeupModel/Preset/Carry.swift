/// Whether a kind of track goes into the output.
public enum Carry: String, Sendable, Equatable, Codable, CaseIterable {
    /// Every track that the container can hold goes along.
    case keep
    /// No such track goes into the output.
    case drop
}
