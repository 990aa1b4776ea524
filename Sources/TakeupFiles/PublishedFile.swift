/// A file that has its name.
public struct PublishedFile: Sendable, Equatable {
    public var path: String
    /// Why the disk may not have taken the name yet; nil when it has.
    public var nameLossReason: String?

    public init(path: String, nameLossReason: String? = nil) {
        self.path = path
        self.nameLossReason = nameLossReason
    }
}
