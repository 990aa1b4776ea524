/// Whether a track is copied or encoded.
public enum TrackMode<Encoding: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
    case copy
    case encode(Encoding)
}
