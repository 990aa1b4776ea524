internal import TakeupTimeline

/// Keeps one segment's sound on its sample clock: fills gaps with silence, cuts overlaps, stretches
/// nothing.
///
/// Performs no I/O: the caller supplies the blocks' stated times and acts on the answers. All
/// counts are samples per channel at the source's rate.
struct SoundClock: Equatable {
    /// The use of one block: insert `silence` first, then skip `drop` samples of the block and use
    /// `keep`.
    struct Placement: Equatable {
        var silence = 0
        var drop = 0
        var keep = 0
    }

    /// Longest difference that counts as timestamp jitter, not as a gap.
    ///
    /// - Note: Source: the threshold that HandBrake's synchroniser uses, 20 ms.
    private static let jitter = MediaTime(value: 1, timescale: 50)

    /// Longest gap to fill, in samples; longer ones come from corrupt timestamps and are closed, to
    /// protect the disk.
    private static func longestGap(_ sampleRate: Int) -> Int { 6 * 3600 * sampleRate }

    private(set) var sampleRate: Int
    /// Number of samples placed so far.
    private(set) var position = 0
    /// Number of samples left out so far because they overlap placed ones.
    private(set) var overlap = 0
    private let duration: MediaTime?
    private let tolerance: MediaTime
    private var hasBegun = false
    /// Whether a block was placed, even before the start.
    private var isRunning = false
    /// Position of a block without a time, before the sound has begun.
    private var next: Int

    /// - Parameters:
    ///   - sampleRate: Samples per second, at least 1.
    ///   - duration: Duration of the segment; nil accepts all sound.
    ///   - sourceTick: The resolution of the source's times.
    ///   - first: Position of a first block without a time, relative to the segment's start.
    init(
        sampleRate: Int, duration: MediaTime?, sourceTick: MediaTime, first: MediaTime = .zero
    ) {
        self.sampleRate = sampleRate
        self.duration = duration
        tolerance = max(Self.jitter, sourceTick + sourceTick)
        next = 0
        next = bounded(first.ticks(of: 1, over: Int64(sampleRate)))
    }

    /// Highest number of samples in the whole segment.
    private var total: Int {
        duration.map { bounded($0.ticks(of: 1, over: Int64(sampleRate))) } ?? bounded(.max)
    }

    /// Limits absurd times, so that sums cannot overflow.
    private func bounded(_ samples: Int64) -> Int { Int(min(max(samples, -(1 << 60)), 1 << 60)) }

    /// Continues at another sample rate.
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
    ///   - time: Time from the segment's start; nil if the source has none.
    ///   - count: Number of samples in the block.
    /// - Returns: The use of the block.
    mutating func place(_ time: MediaTime?, count: Int) -> Placement {
        var placement = Placement()
        var claimed =
            time.map { bounded($0.ticks(of: 1, over: Int64(sampleRate))) }
            ?? (hasBegun ? position : next)
        let jitter = Int(tolerance.ticks(of: 1, over: Int64(sampleRate)))
        // Close small gaps before the start too, so that a cut keeps the sample positions of the
        // whole source.
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

    /// Number of samples of silence missing at the end.
    var rest: Int { duration == nil ? 0 : max(0, total - position) }

    var isPastEnd: Bool { position >= total }
}
