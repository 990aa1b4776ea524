internal import CTakeupLinux
internal import Foundation

/// Wakes a thread that waits; each ring that nobody waits for ends a later wait.
///
/// Waits go by a clock that nobody sets. On Linux those of `DispatchSemaphore` and `NSCondition` do not: they end at a
/// time of the wall clock, so that one that is set back by ten minutes makes a wait of a second take ten minutes.
public final class Bell: Sendable {
    /// More than any wait, in seconds.
    private static let longestSeconds = 1e9

    // Safe: only passed to pthread functions, and freed with their owner; `rings` is touched under `lock` only.
    nonisolated(unsafe) private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(
        capacity: 1)
    nonisolated(unsafe) private let rung = UnsafeMutablePointer<pthread_cond_t>.allocate(
        capacity: 1)
    nonisolated(unsafe) private var rings = 0

    public init() {
        precondition(
            pthread_mutex_init(lock, nil) == 0 && pthread_cond_init(rung, nil) == 0,
            "a bell cannot be made")
    }

    deinit {
        pthread_cond_destroy(rung)
        pthread_mutex_destroy(lock)
        rung.deallocate()
        lock.deallocate()
    }

    /// Ends one wait: one that has begun, or the next.
    public func ring() {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        rings += 1
        pthread_cond_signal(rung)
    }

    /// Waits for a ring.
    ///
    /// - Parameter seconds: For so long at most; nothing below 0 waits.
    /// - Returns: Whether it rang.
    @discardableResult
    public func wait(seconds: Double) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds =
            end.tv_nsec + Int(min(max(seconds, 0), Self.longestSeconds) * 1_000_000_000)
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while rings == 0 {
            guard takeup_wait_until(rung, lock, &end) == 0 else { return false }
        }
        rings -= 1
        return true
    }

    /// Waits for a ring until a time.
    ///
    /// - Returns: Whether it rang.
    @discardableResult
    public func wait(until end: ContinuousClock.Instant) -> Bool {
        wait(seconds: (end - ContinuousClock.now) / .seconds(1))
    }
}
