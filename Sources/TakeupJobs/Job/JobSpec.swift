internal import Foundation
public import TakeupModel

/// What a job must do: an export, and its place in the queue.
///
/// It does not change once the queue has accepted it. A value that this release does not know makes a stored job unreadable: no job is done in another way than it asks for.
public struct JobSpec: Sendable, Equatable {
    /// Raised when a field changes its meaning.
    public static let currentVersion = 2

    public var version = JobSpec.currentVersion
    public var id: JobID
    /// Its sources and its output are absolute paths or addresses.
    ///
    /// The worker itself decides on encoder threads and hashes the result, whatever the settings say of that.
    public var request: ExportRequest
    /// How long the result is kept, in seconds from its creation; nil leaves it to the cache.
    public var expiresSeconds: Double?
    /// Higher runs earlier: -1000 to 1000.
    public var priority = 0
    /// Further tries after a failure that can heal: 0 to 100.
    public var retries = 3
    /// Whether a source's path may lead over symbolic links.
    ///
    /// `false` where others may write into the folders on its way.
    public var followsLinks = true
    /// Not started before, in seconds since 1970; nil starts it as soon as its turn comes.
    public var notBefore: Double?
    /// How long one attempt may take, in seconds of wall time; one that takes longer fails, and is not tried again.
    public var timeoutSeconds: Double?
    /// What happens when a file is not the one any more that it was when the job was accepted.
    ///
    /// A source that was not there then may be anything.
    public var onReplaced = OnReplaced.fail
    /// Where the output gets its rights, owner and time from.
    public var attributes = Attributes.system
    /// The queue that it waits in; nil for the one of jobs that name none.
    public var queue: String?
    /// What its worker must have, such as `gpu`.
    public var tags: [String] = []
    /// On whose behalf it runs, nil for nobody's: workers are shared evenly between keys, and may limit each.
    public var key: String?

    /// What to do with a source that was replaced since the job was accepted.
    public enum OnReplaced: String, Sendable, Codable, CaseIterable {
        case fail, accept
    }

    /// What an output's rights, owner and time are taken from.
    public enum Attributes: String, Sendable, Codable, CaseIterable {
        case system
        /// The first source.
        case source
    }

    public init(id: JobID, _ request: ExportRequest) {
        (self.id, self.request) = (id, request)
    }

    /// Returns true if the other job makes the same output of the same sources.
    ///
    /// Priority, retries, times, links and replacements are about when and by whom; attributes change no content. The
    /// comparison is of bytes, as in file systems: Swift's equal strings may be different file names.
    public func isSameWork(as other: JobSpec) -> Bool {
        var other = other
        (other.version, other.priority, other.retries) = (version, priority, retries)
        (other.followsLinks, other.attributes) = (followsLinks, attributes)
        (other.onReplaced, other.notBefore) = (onReplaced, notBefore)
        other.timeoutSeconds = timeoutSeconds
        (other.queue, other.tags, other.key) = (queue, tags, key)
        return self == other
            && JobColumns.encoded(self).utf8.elementsEqual(JobColumns.encoded(other).utf8)
    }
}

extension JobSpec: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, id, request, expiresSeconds, priority, retries, followsLinks, notBefore
        case timeoutSeconds, onReplaced, attributes, queue, tags, key
    }

    /// Reads what any release so far has stored.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let version = try fields.decode(Int.self, forKey: .version)
        guard version > 1 else {
            self = try FirstForm(from: decoder).spec()
            return
        }
        self.init(
            id: try fields.decode(JobID.self, forKey: .id),
            try fields.decode(ExportRequest.self, forKey: .request))
        self.version = version
        expiresSeconds = try fields.decodeIfPresent(Double.self, forKey: .expiresSeconds)
        priority = try fields.decode(Int.self, forKey: .priority)
        retries = try fields.decode(Int.self, forKey: .retries)
        followsLinks = try fields.decode(Bool.self, forKey: .followsLinks)
        notBefore = try fields.decodeIfPresent(Double.self, forKey: .notBefore)
        timeoutSeconds = try fields.decodeIfPresent(Double.self, forKey: .timeoutSeconds)
        onReplaced = try fields.decode(OnReplaced.self, forKey: .onReplaced)
        attributes = try fields.decode(Attributes.self, forKey: .attributes)
        queue = try fields.decodeIfPresent(String.self, forKey: .queue)
        tags = try fields.decodeIfPresent([String].self, forKey: .tags) ?? []
        key = try fields.decodeIfPresent(String.self, forKey: .key)
    }
}
