internal import TakeupTimeline

/// Keeps one segment's sound on its sample clock: gaps become silence, overlaps are cut, nothing is stretched.
///
/// Pure: it is told where blocks claim to be and answers what to do with them. All counts are samples a
/// channel at the source's rate.
struct SoundClock: Equatable {
    /// What to do with one block: first `silence`, then the block without its first `drop` samples, of which
    /// `keep` are used.
    struct Placement: Equatable {
        var silence = 0
        var drop = 0
        var keep = 0
    }

    /// Distances up to this are the jitter of timestamps, not gaps.
    ///
    /// - Note: Source: the threshold that HandBrake's synchroniser uses, 20 ms.
    private static let jitter = MediaTime(value: 1, timescale: 50)

    /// Gaps beyond this are corrupt timestamps, which are closed up: filling them would fill the disk.
    private static func longestGap(_ sampleRate: Int) -> Int { 6 * 3600 * sampleRate }

    private(set) var sampleRate: Int
    /// Samples placed so far.
    private(set) var position = 0
    /// Samples left out so far because they lie over samples that were placed before.
    private(set) var overlap = 0
    private let duration: MediaTime?
    private let tolerance: MediaTime
    private var hasBegun = false
    /// Whether a block was placed, be it before the start.
    private var isRunning = false
    /// Where a block without a time lies before the sound has begun.
    private var next: Int

    /// - Parameters:
    ///   - sampleRate: Samples a second, at least 1.
    ///   - duration: Of the segment; nil takes all that comes.
    ///   - sourceTick: The resolution of the source's times.
    ///   - first: Where the first block lies when it has no time, from the segment's start.
    init(
        sampleRate: Int, duration: MediaTime?, sourceTick: MediaTime, first: MediaTime = .zero
    ) {
        self.sampleRate = sampleRate
        self.duration = duration
        tolerance = max(Self.jitter, sourceTick + sourceTick)
        next = 0
        next = bounded(first.ticks(of: 1, over: Int64(sampleRate)))
    }

    /// Samples that the whole segment has at the most.
    private var total: Int {
        duration.map { bounded($0.ticks(of: 1, over: Int64(sampleRate))) } ?? bounded(.max)
    }

    /// Keeps times that no real source has from exceeding what can be added up.
    private func bounded(_ samples: Int64) -> Int { Int(min(max(samples, -(1 << 60)), 1 << 60)) }

    /// Goes on at another rate.
    mutating func changeRate(to rate: Int) {
        position = converted(position, to: rate)
        overlap = converted(overlap, to: rate)
        next = converted(next, to: rate)
        sampleRate = rate
    }

    private func converted(_ samples: Int, to rate: Int) -> Int {
        Int(
            MediaTime(value: Int64(samples), timescale: Int64(sampleRate))
                .ticks(of: 1, over: Int64(rate)))
    }

    /// Places the next block.
    ///
    /// - Parameters:
    ///   - time: From the segment's start; nil when the source does not say.
    ///   - count: Samples in it.
    /// - Returns: What to do with it.
    mutating func place(_ time: MediaTime?, count: Int) -> Placement {
        var placement = Placement()
        var claimed =
            time.map { bounded($0.ticks(of: 1, over: Int64(sampleRate))) }
            ?? (hasBegun ? position : next)
        let jitter = Int(tolerance.ticks(of: 1, over: Int64(sampleRate)))
        // Before the start too, so that a cut begins where the whole source would have had its first sample.
        if isRunning, !hasBegun, abs(claimed - next) <= jitter { claimed = next }
        isRunning = true
        next = claimed + count
        let isFirst = !hasBegun
        let slack = hasBegun ? jitter : 0
        hasBegun = hasBegun || claimed + count > 0
        var gap = claimed - position
        if abs(gap) <= slack || gap > Self.longestGap(sampleRate) { gap = 0 }
        if gap > 0 {
            placement.silence = min(gap, max(0, total - position))
        } else {
            placement.drop = min(count, -gap)
            if !isFirst { overlap += placement.drop }
        }
        position += placement.silence
        placement.keep = max(0, min(count - placement.drop, total - position))
        position += placement.keep
        return placement
    }

    /// Samples of silence that are missing at the end.
    var rest: Int { duration == nil ? 0 : max(0, total - position) }

    var isPastEnd: Bool { position >= total }
}
