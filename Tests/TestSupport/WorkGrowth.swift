import Foundation

/// Measures how many times more processor time work takes at a larger size than at a smaller one.
///
/// The thread's own processor time is counted, so other work on the machine hardly changes the answer. Each size counts
/// by the fastest of three runs. Work that grows evenly answers about `large / small`, work that grows with the
/// square answers the square of that.
///
/// - Parameters:
///   - small: At least 1.
///   - large: More than `small`.
///   - work: Does the work of one size, on the calling thread.
/// - Returns: The quotient of the two times.
public func workGrowth(from small: Int, to large: Int, _ work: (Int) throws -> Void) rethrows
    -> Double
{
    func seconds(_ size: Int) throws -> Double {
        let began = threadSeconds()
        try work(size)
        return threadSeconds() - began
    }
    var fastest = [Double.infinity, .infinity]
    for _ in 0..<3 {
        fastest[0] = min(fastest[0], try seconds(small))
        fastest[1] = min(fastest[1], try seconds(large))
    }
    return fastest[1] / max(fastest[0], .leastNormalMagnitude)
}

private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
