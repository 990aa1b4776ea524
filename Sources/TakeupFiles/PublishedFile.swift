/// A file that has its final name.
public struct PublishedFile: Sendable, Equatable {
    public var path: String
    /// Why the name may not be on disk yet; nil if it is.
    public var nameLossReason: String?

    public init(path: String, nameLossReason: String? = nil) {
        self.path = path
        self.nameLossReason = nameLossReason
    }
}
