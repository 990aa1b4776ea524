/// What one attempt adds to the sums.
public enum WorkCount: Sendable, Equatable {
    /// A result was made.
    case export(mediaSeconds: Double, workSeconds: Double)
    case retry
    case crash
}

extension MediaCache {
    /// Adds an attempt to the sums that `statistics` tells.
    ///
    /// - Throws: `CacheError.store`.
    public func count(_ work: WorkCount) throws(CacheError) {
        try manifest.add(Self.amounts(work))
    }

    private static func amounts(_ work: WorkCount) -> [CacheCounter: Int64] {
        switch work {
        case .export(let media, let seconds):
            [
                .exports: 1, .mediaMilliseconds: milliseconds(media),
                .workMilliseconds: milliseconds(seconds),
            ]
        case .retry: [.retries: 1]
        case .crash: [.crashes: 1]
        }
    }

    private static func milliseconds(_ seconds: Double) -> Int64 {
        seconds.isFinite ? Int64(min(max(seconds, 0), 1e9) * 1000) : 0
    }
}
