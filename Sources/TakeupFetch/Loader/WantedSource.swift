/// A source that somebody will read.
public struct WantedSource: Hashable, Sendable {
    /// An http or https address.
    public var address: String
    /// Selects a variant of a playlist.
    public var pictureLimit: PictureLimit

    public init(_ address: String, within limit: PictureLimit = PictureLimit()) {
        (self.address, pictureLimit) = (address, limit)
    }
}
