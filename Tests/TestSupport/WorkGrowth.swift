import Foundation

/// How much processor time work takes at a small size, and how many times more at a larger one.
public struct WorkGrowth: Sendable {
    /// Of the small size.
    public let seconds: Double
    /// The larger size's time over the small one's.
    public let factor: Double

    /// Measures work at two sizes.
    ///
    /// The thread's own processor time is counted, so other work on the machine hardly changes the answer. Each size
    /// counts by the fastest of three runs. Work that grows evenly has a factor of about `large / small`, work that
    /// grows with the square has the square of that.
    ///
    /// - Parameters:
    ///   - small: At least 1.
    ///   - large: More than `small`.
    ///   - work: Does the work of one size, on the calling thread.
    public init(from small: Int, to large: Int, _ work: (Int) throws -> Void) rethrows {
        var fastest = (small: Double.infinity, large: Double.infinity)
        for _ in 0..<3 {
            fastest.small = min(fastest.small, try Self.seconds { try work(small) })
            fastest.large = min(fastest.large, try Self.seconds { try work(large) })
        }
        seconds = fastest.small
        factor = fastest.large / max(fastest.small, .leastNormalMagnitude)
    }

    private static func seconds(of work: () throws -> Void) rethrows -> Double {
        let began = threadSeconds()
        try work()
        return threadSeconds() - began
    }

    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
