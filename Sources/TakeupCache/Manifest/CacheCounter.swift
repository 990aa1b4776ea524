/// The sums that the manifest keeps.
enum CacheCounter: String {
    case hits, misses, bytesSaved, evictions, evictedBytes, damaged

    var sum: WritableKeyPath<CacheStatistics, Int64> {
        switch self {
        case .hits: \.hits
        case .misses: \.misses
        case .bytesSaved: \.bytesSaved
        case .evictions: \.evictions
        case .evictedBytes: \.evictedBytes
        case .damaged: \.damaged
        }
    }
}
