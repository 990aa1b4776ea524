internal import Dispatch
internal import TakeupLanes

/// Values that are made once for all who want them at the same time, and kept for a while.
final class PlaylistKeep<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value, and what it costs to keep it.
    struct Made: Sendable {
        var value: Value
        var bytes: Int
        /// On the keep's clock; nil to keep it for nobody else.
        var until: Double?
    }

    /// A value that somebody makes now, or has made.
    private final class Work: Sendable {
        let made = Locked<Made?>(nil)
        let group = DispatchGroup()
    }

    /// Seconds between two checks whether one who waits has gone.
    private let lookSeconds = 0.25
    private let mostValues: Int
    private let mostBytes: Int
    private let now: @Sendable () -> Double
    private let tasks = Locked<[Key: Work]>([:])

    init(values: Int, bytes: Int, now: @escaping @Sendable () -> Double) {
        (mostValues, mostBytes, self.now) = (values, bytes, now)
    }

    /// Number of values that are kept or being made.
    var count: Int { tasks.withLock { $0.count } }

    /// Returns the value of a key; makes it if nobody has or does.
    ///
    /// - Parameters:
    ///   - key: Names the value.
    ///   - isAbandoned: Polled while another caller makes the value.
    ///   - make: Makes the value, on this thread; not ended by an `isAbandoned`, for others may wait.
    /// - Returns: nil only if the caller has gone.
    func value(_ key: Key, isAbandoned: () -> Bool, make: () -> Made) -> Value? {
        let time = now()
        let (task, isOwn) = tasks.withLock { tasks in
            if let known = tasks[key],
                known.made.withLock({ $0.map { $0.isKept(at: time) } }) ?? true
            {
                return (known, false)
            }
            let task = Work()
            task.group.enter()
            tasks[key] = task
            return (task, true)
        }
        guard isOwn else {
            while task.group.wait(timeout: .now() + lookSeconds) != .success {
                guard !isAbandoned() else { return nil }
            }
            return task.made.withLock { $0?.value }
        }
        let made = make()
        task.made.withLock { $0 = made }
        settle(key, task)
        task.group.leave()
        return made.value
    }

    /// Drops all values that are kept.
    func drop() {
        // Whatever goes with them goes outside of the lock.
        let gone = tasks.withLock { tasks in
            let gone = tasks.filter { $0.value.made.withLock { $0 != nil } }
            for key in gone.keys { tasks[key] = nil }
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    /// Drops what is over, and what is too much: first what ends first.
    private func settle(_ key: Key, _ task: Work) {
        let time = now()
        tasks.withLock { tasks in
            if tasks[key] === task, task.made.withLock({ $0?.isKept(at: time) }) != true {
                tasks[key] = nil
            }
            var kept = tasks.compactMap { key, task in
                task.made.withLock { made in made.map { (key, $0.bytes, $0.until ?? 0) } }
            }
            kept.sort { $0.2 < $1.2 }
            var bytes = kept.reduce(0) { $0 + $1.1 }
            var values = kept.count
            for (key, size, until) in kept
            where until <= time || bytes > mostBytes || values > mostValues {
                tasks[key] = nil
                (bytes, values) = (bytes - size, values - 1)
            }
        }
    }
}

extension PlaylistKeep.Made {
    fileprivate func isKept(at time: Double) -> Bool { until.map { time < $0 } ?? false }
}
