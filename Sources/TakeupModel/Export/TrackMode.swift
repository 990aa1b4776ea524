/// Whether a track is copied as it is or made anew.
public enum TrackMode<Encoding: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
    case copy
    case encode(Encoding)
}
