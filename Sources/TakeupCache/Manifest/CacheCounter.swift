/// The sums that the manifest keeps.
enum CacheCounter: String {
    case hits, misses, bytesSaved, evictions, evictedBytes, damaged
    case exports, retries, crashes, mediaMilliseconds, workMilliseconds

    var sum: WritableKeyPath<CacheStatistics, Int64> {
        switch self {
        case .hits: \.hits
        case .misses: \.misses
        case .bytesSaved: \.bytesSaved
        case .evictions: \.evictions
        case .evictedBytes: \.evictedBytes
        case .damaged: \.damaged
        case .exports: \.exports
        case .retries: \.retries
        case .crashes: \.crashes
        case .mediaMilliseconds: \.mediaMilliseconds
        case .workMilliseconds: \.workMilliseconds
        }
    }
}
