public import TakeupModel

/// What a job shall do: immutable once it is accepted, the same through every door.
///
/// A policy that this version does not know makes a stored spec unreadable: no job is done in another way than it asks for.
public struct JobSpec: Sendable, Hashable, Codable {
    /// Raised when a field changes its meaning.
    public static let currentVersion = 1

    public var version = JobSpec.currentVersion
    public var id: JobID
    /// Absolute paths or addresses, joined in order; at least one.
    public var sources: [String]
    public var preset: PresetSnapshot
    /// Where the output begins, and how long it lasts; exact.
    public var start: ExactTime?
    public var duration: ExactTime?
    /// Absolute path besides the cache; nil keeps the result in the cache alone.
    public var output: String?
    public var overwrite = ExportSettings.Overwrite.fail
    public var onTruncated = ExportSettings.OnTruncated.fail
    public var verify = ExportSettings.Verification.quick
    public var copy = ExportSettings.CopyPolicy.auto
    public var metadata: [String: String] = [:]
    public var stripsMetadata = false
    /// Bytes that the output must not exceed.
    public var sizeLimit: Int64?
    /// How long the result is kept, in seconds from its creation; nil leaves it to the cache.
    public var expiresSeconds: Double?
    /// Higher runs earlier: -1000 to 1000.
    public var priority = 0
    /// Further tries after a failure that can heal: 0 to 100.
    public var retries = 3
    /// Whether a source's path may lead over symbolic links, as it may for nil.
    ///
    /// `false` where others may write into the folders on its way.
    public var followsLinks: Bool?
    /// Not started before, in seconds since 1970; nil starts it as soon as its turn comes.
    public var notBefore: Double?
    /// How long one attempt may take, in seconds of wall time; one that takes longer fails, and is not tried again.
    public var timeoutSeconds: Double?
    /// What happens when a file is not the one any more that it was when the job was accepted; nil is `fail`.
    ///
    /// A source that was not there then may be anything.
    public var onReplaced: OnReplaced?

    /// `source` gives the output the rights, owner and time of the first source; nil leaves them to the system.
    public var attributes: String?

    /// What to do with a source that was replaced since the job was accepted.
    public enum OnReplaced: String, Sendable, Codable, CaseIterable {
        case fail, accept
    }

    public init(id: JobID, sources: [String], preset: PresetSnapshot) {
        (self.id, self.sources, self.preset) = (id, sources, preset)
    }

    /// Whether it says the same but for its place in the queue: priority, retries, time and timeout are about when, not
    /// about what, links and replacements about who may have put a source there, and attributes about no content.
    ///
    /// Compares bytes, as file systems do: for Swift, names that differ in their Unicode form alone are equal.
    public func isSameWork(as other: JobSpec) -> Bool {
        var other = other
        (other.priority, other.retries) = (priority, retries)
        (other.followsLinks, other.attributes) = (followsLinks, attributes)
        (other.onReplaced, other.notBefore) = (onReplaced, notBefore)
        other.timeoutSeconds = timeoutSeconds
        return self == other
            && JobColumns.encoded(self).utf8.elementsEqual(JobColumns.encoded(other).utf8)
    }
}
