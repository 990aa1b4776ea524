public import TakeupFiles

/// What became of one file of a watched folder.
public struct WatchedFile: Equatable, Sendable {
    public enum State: String, Sendable, CaseIterable {
        /// A job is to make an output of it.
        case handed
        case done
        /// Its job failed for good; it is not tried again before it, or what is to be made of it, changes.
        case failed
        /// A rule says that nothing is made of it.
        case skipped
    }

    /// The `work` of an output that has taken its source's place: it is never a source, whatever is wished.
    public static let ownOutput = "output"

    /// Absolute.
    public var folder: String
    /// From the folder on.
    public var path: String
    /// As it was when it had settled.
    public var identity: FileIdentity
    /// Fingerprint of the file's content.
    public var fingerprint: String
    /// Describes what Takeup makes from the file; with another description the file counts as new.
    public var work: String
    public var state: State
    /// nil for what is skipped.
    public var job: String?
    /// Why it failed or is skipped.
    public var reason: String?
    /// What was found in it; nil when nobody asked.
    public var facts: FileFacts?
    /// What was done with it once its output stood; nil while it was left where it is.
    public var acted: SourceAction.Kind?
    /// How often somebody has asked for it again.
    public var again = 0

    public init(
        folder: String, path: String, identity: FileIdentity, fingerprint: String, work: String
    ) {
        (self.folder, self.path, self.identity) = (folder, path, identity)
        (self.fingerprint, self.work, state) = (fingerprint, work, .skipped)
    }
}
