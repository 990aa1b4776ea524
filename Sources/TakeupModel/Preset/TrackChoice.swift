/// Which tracks of a kind an export takes.
public enum TrackChoice: String, Sendable, Equatable, Codable, CaseIterable {
    /// The default track, or else the first.
    case first
    /// Every track, in the source's order.
    case all
}
