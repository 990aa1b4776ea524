/// Where the figure of a track's bit rate comes from.
public enum BitRateOrigin: String, Sendable, Equatable, Codable {
    /// The container says it.
    case container
    /// The sizes of all its packets were added up.
    case packets
    /// The sizes of the first packets; for pictures the file's size without its other tracks.
    case sample
}
