/// What the cache holds and what it has been good for.
public struct CacheStatistics: Sendable, Equatable, Codable {
    public var entries = 0
    /// On disk, content that several entries share counted once.
    public var bytes: Int64 = 0
    public var hits: Int64 = 0
    public var misses: Int64 = 0
    /// The sizes of all hits, added up.
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

    /// The sum that the cache is judged by: `20300 hits × 2.4 MB = 48.72 GB saved`.
    public var savings: String {
        guard hits > 0 else { return "no hits yet" }
        let mean = bytesSaved / hits
        // The mean is exact only where every hit was as large.
        let sign = mean * hits == bytesSaved ? "×" : "× about"
        return
            "\(hits) \(hits == 1 ? "hit" : "hits") \(sign) \(Self.text(mean)) = "
            + "\(Self.text(bytesSaved)) saved"
    }

    /// A size in decimal units with up to two decimals.
    static func text(_ bytes: Int64) -> String {
        let names = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
        var (unit, index): (Int64, Int) = (1, 0)
        while bytes / unit >= 1000, index < names.count - 1 {
            (unit, index) = (unit * 1000, index + 1)
        }
        guard index > 0 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let hundredths = Int128(bytes) * 100 / Int128(unit)
        let (whole, rest) = (hundredths / 100, Int(hundredths % 100))
        let decimals =
            rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(whole)\(decimals) \(names[index])"
    }
}
