import TakeupCache
import TakeupIntake

/// The options that say what the cache may grow to.
struct CacheLimitOptions: Sendable, Equatable {
    static let specifications: [OptionSpecification] = [
        OptionSpecification(
            name: "cache-max-entries", valueName: "N", environment: "TAKEUP_CACHE_MAX_ENTRIES",
            accepts: { entries($0) != nil }, help: "Most results that the cache keeps"),
        OptionSpecification(
            name: "cache-max-bytes", valueName: "SIZE", environment: "TAKEUP_CACHE_MAX_BYTES",
            accepts: { ByteSize(parsing: $0) != nil },
            help: "Most bytes that the cache keeps, such as 50GB"),
        OptionSpecification(
            name: "cache-min-free", valueName: "SIZE", environment: "TAKEUP_CACHE_MIN_FREE",
            defaultValue: "1GB", accepts: { freeSpace($0) != nil },
            help: "Free space that the cache leaves to others; 0 leaves none"),
        OptionSpecification(
            name: "cache-expires", valueName: "AGE", environment: "TAKEUP_CACHE_EXPIRES",
            defaultValue: "never", accepts: { DurationText(parsing: $0) != nil },
            help: "Age at which a result expires, such as 30d or 12h"),
        OptionSpecification(
            name: "cache-unused", valueName: "AGE", environment: "TAKEUP_CACHE_UNUSED",
            defaultValue: "never", accepts: { DurationText(parsing: $0) != nil },
            help: "Time without use after which a result expires, such as 30d"),
    ]

    let limits: CacheLimits

    init(_ input: CommandInput) throws(UsageError) {
        var limits = CacheLimits()
        limits.maxEntries = try input.parsed(
            "cache-max-entries", as: "a number above zero", Self.entries)
        limits.maxBytes = try Self.size(input, "cache-max-bytes")
        let least = try input.parsed("cache-min-free", as: "a size such as 50GB, or 0") {
            Self.freeSpace($0)
        }
        if let least { limits.minFreeBytes = least }
        limits.expiresSeconds = try Self.age(input, "cache-expires")
        limits.unusedSeconds = try Self.age(input, "cache-unused")
        self.limits = limits
    }

    private static func freeSpace(_ text: String) -> Int64? {
        text == "0" ? 0 : ByteSize(parsing: text)?.bytes
    }

    private static func size(
        _ input: CommandInput, _ option: String
    ) throws(UsageError) -> Int64? {
        try input.parsed(option, as: "a size such as 50GB") { ByteSize(parsing: $0) }?.bytes
    }

    private static func age(
        _ input: CommandInput, _ option: String
    ) throws(UsageError) -> Double? {
        try input.parsed(option, as: "a time such as 30d, 12h or never") {
            DurationText(parsing: $0)
        }?.seconds
    }

    private static func entries(_ text: String) -> Int? {
        Int(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
