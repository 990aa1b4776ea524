/// What somebody will read.
public struct WantedSource: Hashable, Sendable {
    /// http or https.
    public var address: String
    /// Chooses among the variants of a playlist.
    public var pictureLimit: PictureLimit

    public init(_ address: String, within limit: PictureLimit = PictureLimit()) {
        (self.address, pictureLimit) = (address, limit)
    }
}
