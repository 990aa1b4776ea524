internal import TakeupCache
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel

/// How queue, speed and cache have fared: a sample each ten seconds, for six hours.
final class ServeHistory: Sendable {
    static let sampleSeconds = 10.0
    private static let most = 2160

    struct Sample: Sendable, Equatable {
        /// Seconds since 1970.
        var time: Double
        var depth: QueueDepth
        /// Media seconds a second, over all jobs that run.
        var speed: Double
        var hits: Int64
        var misses: Int64
        var bytesSaved: Int64
        /// Of the requests since the sample before; nil without any.
        var hitRate: Double?

        var json: JSONValue {
            [
                "time": .timestamp(time), "queued": .whole(depth.queued),
                "scheduled": .whole(depth.scheduled), "running": .whole(depth.running),
                "speed": .measured(speed), "hitRate": .measured(hitRate),
                "bytesSaved": .integer(bytesSaved),
            ]
        }
    }

    private let queue: QueueAccess
    private let cache: MediaCache
    private let wallClock: @Sendable () -> Double
    private let samples = Locked<[Sample]>([])

    init(
        _ queue: QueueAccess, _ cache: MediaCache, wallClock: @escaping @Sendable () -> Double
    ) {
        (self.queue, self.cache, self.wallClock) = (queue, cache, wallClock)
    }

    /// Takes a sample; one that cannot be had is left out.
    func sample() {
        guard let depth = try? queue.depth(),
            let running = try? queue.jobs(JobFilter(states: [.running], limit: 1000)),
            let statistics = try? cache.manifest.statistics()
        else { return }
        let speed = running.compactMap(\.progress?.speed).filter(\.isFinite).reduce(0, +)
        var sample = Sample(
            time: wallClock(), depth: depth, speed: speed, hits: statistics.hits,
            misses: statistics.misses, bytesSaved: statistics.bytesSaved)
        samples.withLock { samples in
            if let last = samples.last {
                let hits = sample.hits - last.hits
                let requests = hits + sample.misses - last.misses
                if requests > 0 { sample.hitRate = Double(hits) / Double(requests) }
            }
            samples.append(sample)
            if samples.count > Self.most { samples.removeFirst(samples.count - Self.most) }
        }
    }

    /// Oldest first.
    func samples(since time: Double) -> [Sample] {
        samples.withLock { samples in samples.filter { $0.time >= time } }
    }
}
