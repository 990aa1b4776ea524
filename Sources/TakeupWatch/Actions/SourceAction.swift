public import TakeupFiles

/// What is still to be done with a source: its output is durable, verified and recorded, or its job has failed for good.
public struct SourceAction: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Into the folder for what is done, its place in the tree kept.
        case move
        case trash
        case delete
        /// The output takes its place.
        case replace
        /// Into the folder for what failed, its place in the tree kept, with a note beside it that says why.
        case setAside = "set-aside"

        /// What may become of a source whose output stands.
        public static let afterSuccess: [Kind] = [.move, .trash, .delete, .replace]
    }

    /// Absolute.
    public var folder: String
    /// From the folder on.
    public var path: String
    public var job: String
    /// As it was encoded.
    public var identity: FileIdentity
    /// Fingerprint of the file's content.
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
