public import TakeupFiles

/// What is still to be done with a source whose output is durable, verified and recorded.
public struct SourceAction: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Into the folder for what is done, its place in the tree kept.
        case move
        case trash
        case delete
        /// The output takes its place.
        case replace
    }

    /// Absolute.
    public var folder: String
    /// From the folder on.
    public var path: String
    public var job: String
    /// As it was encoded.
    public var identity: FileIdentity
    /// Of its content.
    public var fingerprint: String
    public var kind: Kind
    /// Failed ones.
    public var tries = 0
    /// Why the last one failed.
    public var reason: String?

    public init(of file: WatchedFile, job: String, kind: Kind) {
        (folder, path, identity) = (file.folder, file.path, file.identity)
        fingerprint = file.fingerprint
        (self.job, self.kind) = (job, kind)
    }
}
