/// What is known about one result in the cache.
public struct ManifestEntry: Sendable, Equatable {
    /// The work's key.
    public var key: String
    /// The first name that it was recorded under; its key when that name has gone to another result.
    public var id: String
    public var object: ObjectName
    public var bytes: Int64
    /// The preset's name.
    public var preset = ""
    /// The sources, to be shown; nothing is opened by it.
    public var source = ""
    /// Seconds since 1970, as are all times here.
    public var createdAt: Double
    /// When it is no longer an answer; nil when only the cache's limits say so.
    public var expiresAt: Double?
    public var lastAccessAt: Double
    public var hits: Int64 = 0
    public var isPinned = false
    /// Media seconds.
    public var duration: Double = 0
    public var frames: Int64 = 0
    /// A JSON array, as the job's result has it.
    public var warnings = "[]"

    public init(key: String, object: ObjectName, bytes: Int64, createdAt: Double) {
        (self.key, id, self.object, self.bytes) = (key, key, object, bytes)
        (self.createdAt, lastAccessAt) = (createdAt, createdAt)
    }

    public var sha256: String { object.sha256 }

    /// Whether it may no longer be an answer; a pinned one stays one.
    public func isExpired(now: Double, expiresSeconds: Double?) -> Bool {
        guard !isPinned else { return false }
        if let expiresAt, now >= expiresAt { return true }
        guard let expiresSeconds else { return false }
        return now - createdAt >= expiresSeconds
    }
}
