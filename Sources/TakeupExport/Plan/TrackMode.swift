/// Whether a track is copied as it is or made anew.
public enum TrackMode<Encoding: Sendable & Equatable>: Sendable, Equatable {
    case copy
    case encode(Encoding)
}
