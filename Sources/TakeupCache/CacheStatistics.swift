/// What the cache holds and what it has been good for.
public struct CacheStatistics: Sendable, Equatable, Codable {
    public var entries = 0
    /// On disk, content that several entries share counted once.
    public var bytes: Int64 = 0
    public var hits: Int64 = 0
    public var misses: Int64 = 0
    /// The sizes of all hits, added up; of those over HTTP, the bytes that were sent.
    public var bytesSaved: Int64 = 0
    public var evictions: Int64 = 0
    public var evictedBytes: Int64 = 0
    /// Entries that were dropped because their file was missing or wrong.
    public var damaged: Int64 = 0
    /// Results that were made, not found.
    public var exports: Int64 = 0
    /// Attempts that ended with another one to come, and those among all that crashed.
    public var retries: Int64 = 0
    public var crashes: Int64 = 0
    /// How long the results last, and how long they took.
    public var mediaMilliseconds: Int64 = 0
    public var workMilliseconds: Int64 = 0
    public var pinned = 0
    /// Files that no entry names, set aside for thirty days.
    public var orphans = 0
    public var orphanBytes: Int64 = 0
    /// Free on the cache's file system.
    public var freeBytes: Int64 = 0

    public init() {}

    /// Media seconds a second of work; nil before anything was made.
    public var speed: Double? {
        workMilliseconds > 0 ? Double(mediaMilliseconds) / Double(workMilliseconds) : nil
    }
}
